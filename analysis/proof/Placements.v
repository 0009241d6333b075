(* The check of a table of Dou Shou Qi: every placement of a material is held against its moves. This is what runs. *)
From Coq Require Import Arith Bool List Uint63.
Require Import Cells Doushouqi.
Import ListNotations.
Open Scope uint63_scope.

(* --- the cell of a position ---------------------------------------------------------------------------------
   Ten bits for each piece: whose it is, which animal, and its square. Nothing is proven about places and nothing need
   be: a table is what is read there. *)
Definition piece_number (side : int) (x : piece) : int := (((side << 3) + number (who x)) << 6) + on x.
Definition add_number (n k : int) : int := (n << 10) + k.
Definition place (p : position) : int :=
  fold_left add_number (map (piece_number 1) (other p)) (fold_left add_number (map (piece_number 0) (own p)) 64).

Section Check.
Variable r : rules.
Variable read : int -> int.

(* --- what is known of a piece on its square before others stand --------------------------------------------- *)

(* A move, and the number of the piece that the other side then sees. *)
Record goal := { made : move; landing : int; enters : bool }.
Definition goal_of (m : move) : goal :=
  {| made := m; landing := piece_number 1 (turn_piece (moved m (mover m))); enters := to (by_way m) =? other_den |}.

Record stand := {
  placed : piece;
  as_own : int; as_other : int;           (* numbers now *)
  turned_own : int; turned_other : int;   (* and as the other side sees the piece *)
  goals : list goal }.
Definition stand_of (x : piece) : stand :=
  {| placed := x; as_own := piece_number 0 x; as_other := piece_number 1 x;
     turned_own := piece_number 0 (turn_piece x); turned_other := piece_number 1 (turn_piece x);
     goals := map goal_of (moves_of_piece r x) |}.

Definition stands (a : animal) : list stand :=
  map (fun s => stand_of {| who := a; on := s |}) (filter (may_stand r a) squares).

(* --- one position ---------------------------------------------------------------------------------------------- *)

(* The place of the position after a move. *)
Definition place_after (g : goal) (ours theirs : list stand) : int :=
  fold_left (fun n x => if on (placed x) =? on (mover (made g)) then add_number n (landing g)
                        else add_number n (turned_other x)) ours
    (fold_left (fun n x => if move_lands_on (made g) (placed x) then n else add_number n (turned_own x)) theirs 64).

(* A move held against the value v and the depth d: one that wins ends play. *)
Definition look (p : position) (ours theirs : list stand) (forces : forcer) (v d : int) (g : goal) : verdict :=
  if goes r p (made g) then
    if enters g || forallb (move_lands_on (made g)) (other p) then
      match forces with the_mover => if d =? 1 then hit else wrong | _ => wrong end
    else judge read forces v d 0 0 (place_after g ours theirs)
  else skip.

Definition worth_without_moves : int := if stalemate_loss r then 127 else 128.

Definition check_position (ours : list stand) (our_pieces : list piece) (our_goals : list goal) (start : int)
    (theirs : list stand) : bool :=
  let p := {| own := our_pieces; other := map placed theirs |} in
  let at_ := fold_left (fun n x => add_number n (as_other x)) theirs start in
  let v := read at_ in
  let d := read (at_ + depth_stream) in
  let forces := if v =? 128 then nobody else if v <? 128 then the_other else the_mover in
  (127 <=? v) && (v <=? 129) && (d <? 65536) && (match forces with nobody => d =? 0 | _ => true end) &&
  match scan (look p ours theirs forces v d) our_goals skip with
  | hit => true
  | skip => (v =? worth_without_moves) && (d =? 0)
  | _ => false
  end.

(* --- all positions of a material -------------------------------------------------------------------------------- *)

(* All placements of pieces on squares on which no other stands. *)
Fixpoint all_placements (todo : list (list stand)) (taken : list stand) (check : list stand -> bool) : bool :=
  match todo with
  | [] => check []
  | first :: todo' =>
      forallb (fun x => if existsb (fun y => on (placed x) =? on (placed y)) taken then true
                        else all_placements todo' (x :: taken) (fun rest => check (x :: rest))) first
  end.

Definition check_material (ours theirs : list animal) : bool :=
  let their_stands := map stands theirs in
  all_placements (map stands ours) []
    (fun own => all_placements their_stands own
       (check_position own (map placed own) (flat_map goals own)
          (fold_left (fun n x => add_number n (as_own x)) own 64))).

(* Materials with so many pieces, or fewer: those of the player to move, and those of the other. *)
Fixpoint sublists (from : list animal) : list (list animal) :=
  match from with [] => [[]] | a :: from' => map (cons a) (sublists from') ++ sublists from' end.
Definition materials (most : nat) : list (list animal * list animal) :=
  filter (fun m => (0 <? length (fst m)) && (0 <? length (snd m)) && (length (fst m) + length (snd m) <=? most))%nat
    (list_prod (sublists animals) (sublists animals)).
End Check.
