(* Boards in machine integers: a row is six bytes of one integer, pit 0 the lowest. Moves on rows, the cell
   of a board in a table, and a walk through all rows. No proofs stand here: they are in Packed.v. *)
From Coq Require Import Bool List Uint63.
Require Import Rules.
Import ListNotations.
Open Scope uint63_scope.

(* Pits are named by their shift, 8 times their number. *)
Definition ones : int := 0x10101010101.
Definition below (t : int) : int := (1 << t) - 1.
Definition seeds_at (row s : int) : int := (row >> s) land 255.
Definition pits : list int := [0; 8; 16; 24; 32; 40].

(* The seeds that fall into the rows if r = 1 ... 11 of them are sown from pit s; the last falls into pit e. *)
Definition run_own (s e : int) : int :=
  let behind := ones land below (s + 8) in
  if e <=? 40 then (ones land below (e + 8)) - behind
  else if e <=? 88 then ones - behind
  else ones - behind + (ones land below (e - 88)).
Definition run_other (e : int) : int := if e <=? 40 then 0 else ones land below (e - 40).

(* More seeds go round in laps of 11. *)
Definition laps (h : int) : int := if h <=? 11 then 0 else (h - 1) / 11.
Definition last_pit (s h : int) : int := s + ((h - 11 * laps h) << 3).
Definition sown_own (s h : int) : int := laps h * (ones - (1 << s)) + run_own s (last_pit s h).
Definition sown_other (s h : int) : int := laps h * ones + run_other (last_pit s h).

(* Takes out 2 or 3 seeds from pit t of the opponent, and on backwards. *)
Fixpoint take (fuel : nat) (t row captured : int) : int * int :=
  match fuel with
  | O => (captured, row)
  | S fuel' =>
      let x := seeds_at row t in
      if (x lor 1) =? 3 then
        let row' := row - (x << t) in
        if t =? 0 then (captured + x, row') else take fuel' (t - 8) row' (captured + x)
      else (captured, row)
  end.

(* --- the cell of a board: the order of the index of tables ------------------------------------------------
   Nothing is proven about it and nothing need be: a table is what is read at these places. *)
Definition choose2 (n : int) : int := (n * (n - 1)) >> 1.
Definition choose3 (n : int) : int := n * (n - 1) * (n - 2) / 6.
Definition choose4 (n : int) : int := n * (n - 1) * (n - 2) * (n - 3) / 24.
Definition choose5 (n : int) : int := n * (n - 1) * (n - 2) * (n - 3) * (n - 4) / 120.

(* Byte i holds the seeds of the pits up to i. *)
Definition sums (row : int) : int := row * ones.
Definition row_seeds (row : int) : int := (sums row >> 40) land 255.
Definition rank (row : int) : int :=
  let s := sums row in
  let all := (s >> 40) land 255 in
  choose5 (all + 5) - 1 - choose5 (all - (s land 255) + 4) - choose4 (all - ((s >> 8) land 255) + 3)
  - choose3 (all - ((s >> 16) land 255) + 2) - choose2 (all - ((s >> 24) land 255) + 1)
  - (all - ((s >> 32) land 255)).

(* Rows without an empty pit that stand before this one. *)
Definition full_before (row : int) : int :=
  let s := sums row in
  let all := (s >> 40) land 255 in
  let left i := all - ((s >> i) land 255) in
  if seeds_at row 0 =? 0 then 0 else
  let n := choose5 (all - 1) - (if left 0 <? 5 then 0 else choose5 (left 0)) in
  if seeds_at row 8 =? 0 then n else
  let n := n + choose4 (left 0 - 1) - (if left 8 <? 4 then 0 else choose4 (left 8)) in
  if seeds_at row 16 =? 0 then n else
  let n := n + choose3 (left 8 - 1) - (if left 16 <? 3 then 0 else choose3 (left 16)) in
  if seeds_at row 24 =? 0 then n else
  let n := n + choose2 (left 16 - 1) - (if left 24 <? 2 then 0 else choose2 (left 24)) in
  if seeds_at row 32 =? 0 then n else n + (left 24 - 1) - left 32.

(* The opponent's part of a place: his seeds, how many open rows hold as many, and which of them it is. *)
Record part := { part_seeds : int; part_width : int; part_rank : int }.
Definition part_of (row : int) : part :=
  let k := row_seeds row in
  {| part_seeds := k;
     part_width := choose5 (k + 5) - (if k <? 6 then 0 else choose5 (k - 1));
     part_rank := rank row - full_before row |}.

(* Cells lie by slices and by the seeds k of the mover's row, then in the order of the index. *)
Definition place (k rank : int) (p : part) : int :=
  ((k + part_seeds p) << 50) + (k << 44) + rank * part_width p + part_rank p.
Definition place_of (row : int) (p : part) : int := place (row_seeds row) (rank row) p.

(* --- moves of an own row, whatever the opponent's is ---------------------------------------------------- *)
Record move := { adds : int; last : int; after : part }.
Definition row_left (row s h : int) : int := row - (h << s) + sown_own s h.
Definition move_of (row s : int) : move :=
  let h := seeds_at row s in
  {| adds := sown_other s h; last := last_pit s h; after := part_of (row_left row s h) |}.
Fixpoint moves_of (row : int) (ss : list int) : list move :=
  match ss with
  | [] => []
  | s :: ss' => if seeds_at row s =? 0 then moves_of row ss' else move_of row s :: moves_of row ss'
  end.

(* What a move captures, and the opponent's row after it. *)
Definition land_in (r : rules) (m : move) (row : int) : int * int :=
  let full := row + adds m in
  if (48 <=? last m) && (last m <=? 88) then
    let (g, left) := take 6 (last m - 48) full 0 in
    if keeps r && (left =? 0) then (0, full) else (g, left)
  else (0, full).

(* --- all rows with so many seeds: all in the last pit at first, from which they go to the pits before --- *)
Definition steps : list int := [1 - (1 << 40); (1 << 8) - (1 << 40); (1 << 16) - (1 << 40);
                                (1 << 24) - (1 << 40); (1 << 32) - (1 << 40)].
Fixpoint all_rows (ds : list int) (f : int -> bool) (rest : nat) (row : int) : bool :=
  match ds with
  | [] => f row
  | d :: ds' =>
      (fix go (rest : nat) (row : int) : bool :=
         if all_rows ds' f rest row then
           match rest with O => true | S rest' => go rest' (row + d) end
         else false) rest row
  end.

Definition is_full (row : int) : bool := forallb (fun s => negb (seeds_at row s =? 0)) pits.
