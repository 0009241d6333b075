(* The check of a table: every board of a slice is held against its moves. *)
From Coq Require Import Bool List Uint63.
Require Import Rules Machine.
Import ListNotations.
Open Scope uint63_scope.

(* Streams of cells: a value is read with 128 added, a depth as it is. Scores have the first two; guarantees
   have lower and upper ones. *)
Definition depth_stream : int := 1 << 56.
Definition upper_stream : int := 1 << 57.

(* Who forces the value of a board, if anyone does. *)
Inductive forcer := nobody | the_mover | the_other.
Inductive verdict := skip | wrong | fine | hit.

Section Check.
Variable r : rules.
Variable read : int -> int.

(* A move that captures g and leads to the board at a place, held against value v and depth d: no move is worth
   more, and of the moves that are worth v the forcer takes the quickest, the other side the slowest. *)
Definition judge (who : forcer) (v d stream g at_ : int) : verdict :=
  let m := 256 + g - read (at_ + stream) in
  if m <? v then fine
  else if v <? m then wrong
  else
    match who with
    | nobody => hit
    | _ =>
        let e := if g =? 0 then read (at_ + stream + depth_stream) + 1 else 1 in
        if e =? d then hit
        else match who with
             | the_mover => if d <? e then fine else wrong
             | _ => if e <? d then fine else wrong
             end
    end.

Definition look (feeding : bool) (who : forcer) (v d stream row : int) (m : move) : verdict :=
  let (g, left) := land_in r m row in
  if feeding && (left =? 0) then skip else judge who v d stream g (place_of left (after m)).

Fixpoint scan (feeding : bool) (who : forcer) (v d stream row : int) (ms : list move) (found : verdict) : verdict :=
  match ms with
  | [] => found
  | m :: ms' =>
      match look feeding who v d stream row m with
      | skip => scan feeding who v d stream row ms' found
      | wrong => wrong
      | fine => scan feeding who v d stream row ms' (match found with hit => hit | _ => fine end)
      | hit => scan feeding who v d stream row ms' hit
      end
  end.

Definition count (row : int) : int := fold_right (fun s n => seeds_at row s + n) 0 pits.
Definition is_end (v d own_row row : int) : bool :=
  (v + count row =? 128 + count own_row) && (d =? 0).

(* One cell of a board: its value v and depth d, and where its moves' values are read. *)
Definition check_cell (who : forcer) (v d stream own_row row : int) (ms : list move) : bool :=
  match scan true who v d stream row ms skip with
  | hit => true
  | skip =>
      match r with
      | abapa => is_end v d own_row row
      | awari =>
          match scan false who v d stream row ms skip with
          | hit => true
          | skip => is_end v d own_row row
          | _ => false
          end
      end
  | _ => false
  end.

Definition in_range (n v d : int) : bool := (128 - n <=? v) && (v <=? 128 + n) && (d <? 65536).

Definition check_score (n own_row row at_ : int) (ms : list move) : bool :=
  let v := read at_ in
  let d := read (at_ + depth_stream) in
  let who := if v =? 128 then nobody else if v <? 128 then the_other else the_mover in
  in_range n v d && (match who with nobody => d =? 0 | _ => true end) &&
  check_cell who v d 0 own_row row ms.

Definition check_bounds (n own_row row at_ : int) (ms : list move) : bool :=
  let v := read at_ in
  let d := read (at_ + depth_stream) in
  let w := read (at_ + upper_stream) in
  let e := read (at_ + upper_stream + depth_stream) in
  let low := if v =? 128 - n then nobody else the_mover in
  let high := if w =? 128 + n then nobody else the_other in
  in_range n v d && in_range n w e &&
  (match low with nobody => d =? 0 | _ => true end) && (match high with nobody => e =? 0 | _ => true end) &&
  check_cell low v d upper_stream own_row row ms && check_cell high w e 0 own_row row ms.

(* All boards of a slice: the mover's row holds k seeds, the opponent's, which is open, the others. *)
Definition check_row (bounds : bool) (n : int) (others : nat) (start own_row : int) : bool :=
  let ms := moves_of own_row pits in
  let k := row_seeds own_row in
  let own_rank := rank own_row in
  all_rows steps
    (fun row =>
       if is_full row then true
       else
         let at_ := place k own_rank (part_of row) in
         if bounds then check_bounds n own_row row at_ ms else check_score n own_row row at_ ms)
    others start.

Fixpoint check_groups (bounds : bool) (n : int) (k others : nat) (k_start start : int) : bool :=
  if all_rows steps (check_row bounds n others start) k k_start then
    match others with
    | O => true
    | S others' => check_groups bounds n (S k) others' (k_start + (1 << 40)) (start - (1 << 40))
    end
  else false.

Fixpoint machine (n : nat) : int := match n with O => 0 | S m => machine m + 1 end.

Definition check_slice (bounds : bool) (seeds : nat) : bool :=
  let n := machine seeds in check_groups bounds n 0 seeds 0 (n << 40).
End Check.
