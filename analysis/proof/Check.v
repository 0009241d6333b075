(* The check of a table: every board of a slice is held against its moves. *)
From Coq Require Import Bool List Uint63.
Require Import Rules Machine Cells.
Import ListNotations.
Open Scope uint63_scope.

(* Scores have values and depths; guarantees have lower and upper ones. Values with stages have a depth for each side,
   and may have guarantees apart. *)
Definition upper_stream : int := 1 << 57.
Definition guarantee_stream : int := 1 << 58.

(* What the mover gains if each side takes its own row now. *)
Definition count (row : int) : int := fold_right (fun s n => seeds_at row s + n) 0 pits.
Definition pays (own_row row : int) : int := 128 + count own_row - count row.

Section Check.
Variable r : rules.
Variable read : int -> int.

(* The moves of a board, held against it by `judge`, which knows the seeds that a move captures and the place of the
   board that it leads to. *)
Section Moves.
Variable judge : int -> int -> verdict.

Definition look (feeding : bool) (row : int) (m : move) : verdict :=
  let (g, left) := land_in r m row in
  if feeding && (left =? 0) then skip else judge g (place_of left (after m)).

(* What the moves say: a board without any is held against its end. *)
Definition judge_moves (ends : int -> bool) (own_row row : int) (ms : list move) : verdict :=
  let judge_end := fun _ : unit => if ends (pays own_row row) then hit else wrong in
  match scan (look true row) ms skip with
  | skip =>
      match r with
      | abapa => judge_end tt
      | awari => match scan (look false row) ms skip with skip => judge_end tt | found => found end
      end
  | found => found
  end.
End Moves.

(* --- scores and bounds ---------------------------------------------------------------------------------- *)

Definition is_end (v d paid : int) : bool := (v =? paid) && (d =? 0).

(* One cell of a board: its value v and depth d, and where its moves' values are read. *)
Definition check_cell (who : forcer) (v d stream own_row row : int) (ms : list move) : bool :=
  match judge_moves (judge read who v d stream) (is_end v d) own_row row ms with hit => true | _ => false end.

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

(* --- values with stages, where a repetition ends play ----------------------------------------------------- *)

Definition mover_stage (at_ : int) : int := read (at_ + depth_stream).
Definition other_stage (at_ : int) : int := read (at_ + (upper_stream + depth_stream)).

(* A quiet move that keeps what is guaranteed, but no more, must lead to a stage below this. *)
Definition bar (stage : int) (stays : bool) : int := if stays then stage + 1 else stage.

(* A move from a board with guarantees l and u, stages s of the mover and t of the other side; guarantees are read
   `low` and `high` beyond a place. `hit`: the move keeps what the mover is guaranteed. `wrong`: it denies the other
   side what that is guaranteed. *)
Definition judge_stage (low high l u paid s t g at_ : int) : verdict :=
  if g =? 0 then
    let m := 256 - read (at_ + low) in
    if (u <? m) || ((m =? u) && (bar t (paid <=? u) <=? mover_stage at_)) then wrong
    else
      let m := 256 - read (at_ + high) in
      if (l <? m) || ((m =? l) && (other_stage at_ <? bar s (l <=? paid))) then hit else fine
  else
    let m := 256 + g - read at_ in
    if u <? m then wrong else if m <? l then fine else hit.

(* Guarantees are the value itself, or have streams of their own, in slices that lines of play have closed. *)
Definition low_of (lines : bool) : int := if lines then guarantee_stream else 0.
Definition high_of (lines : bool) : int := if lines then guarantee_stream + upper_stream else 0.

Definition check_exact (lines : bool) (n own_row row at_ : int) (ms : list move) : bool :=
  let l := read (at_ + low_of lines) in
  let u := read (at_ + high_of lines) in
  let s := mover_stage at_ in
  let t := other_stage at_ in
  let paid := pays own_row row in
  in_range n (read at_) 0 && in_range n l s && in_range n u t &&
  match judge_moves (judge_stage (low_of lines) (high_of lines) l u paid s t) (fun e => (l <=? e) && (e <=? u))
          own_row row ms with
  | hit => true
  | _ => false
  end.

(* --- slices ----------------------------------------------------------------------------------------------- *)

(* What a table holds. *)
Inductive kind := scores | bounds | exact (lines : bool).

Definition check_one (what : kind) : int -> int -> int -> int -> list move -> bool :=
  match what with scores => check_score | bounds => check_bounds | exact lines => check_exact lines end.

(* All boards of a slice: the mover's row holds k seeds, the opponent's, which is open, the others. *)
Definition check_row (check : int -> int -> int -> int -> list move -> bool) (n : int) (others : nat)
    (start own_row : int) : bool :=
  let ms := moves_of own_row pits in
  let k := row_seeds own_row in
  let own_rank := rank own_row in
  all_rows steps
    (fun row => if is_full row then true else check n own_row row (place k own_rank (part_of row)) ms)
    others start.

Fixpoint check_groups (check : int -> int -> int -> int -> list move -> bool) (n : int) (k others : nat)
    (k_start start : int) : bool :=
  if all_rows steps (check_row check n others start) k k_start then
    match others with
    | O => true
    | S others' => check_groups check n (S k) others' (k_start + (1 << 40)) (start - (1 << 40))
    end
  else false.

Fixpoint machine (n : nat) : int := match n with O => 0 | S m => machine m + 1 end.

Definition check_slice (what : kind) (seeds : nat) : bool :=
  let n := machine seeds in check_groups (check_one what) n 0 seeds 0 (n << 40).
End Check.
