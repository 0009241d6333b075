(* The rules of Dou Shou Qi, one position at a time, written to be read beside docs/rules and
   games/doushouqi/rules.c. Everything that is proven of the game is proven about this file. *)
From Coq Require Import Bool List ZArith Uint63.
Require Import Value.
Import ListNotations.
Open Scope uint63_scope.

Inductive animal := rat | cat | wolf | dog | leopard | tiger | lion | elephant.
Definition animals : list animal := [rat; cat; wolf; dog; leopard; tiger; lion; elephant].
Definition number (a : animal) : int :=
  match a with rat => 0 | cat => 1 | wolf => 2 | dog => 3 | leopard => 4 | tiger => 5 | lion => 6 | elephant => 7 end.
Definition same (a b : animal) : bool := number a =? number b.

(* --- rule sets ----------------------------------------------------------------------------------------- *)

Inductive jumper := narrow | wide | jumpless.
Inductive lake := water | plain | drink.

Record rules := {
  wolf_over_dog : bool; clearings : bool; drinkers_block : bool; jump_block_path : bool; stalemate_loss : bool;
  elephant_takes_rat : bool; rat_shore_liacs : bool; leopard_jumps : jumper; lakes : lake }.

Section Rules.
Variable r : rules.

(* --- the board ------------------------------------------------------------------------------------------- *)

(* Squares as the player to move sees them: rank times 7 and file, a1 = 0 ... g9 = 62. His side is rank 1. *)
Definition square := int.
Definition squares : list square :=
  [ 0;  1;  2;  3;  4;  5;  6;   7;  8;  9; 10; 11; 12; 13;  14; 15; 16; 17; 18; 19; 20;
   21; 22; 23; 24; 25; 26; 27;  28; 29; 30; 31; 32; 33; 34;  35; 36; 37; 38; 39; 40; 41;
   42; 43; 44; 45; 46; 47; 48;  49; 50; 51; 52; 53; 54; 55;  56; 57; 58; 59; 60; 61; 62].
Definition rank (s : square) : int := s / 7.
Definition file (s : square) : int := s - 7 * rank s.
Definition among (s : square) (set : list square) : bool := existsb (eqb s) set.

(* The board as the other side sees it: rank 1 is rank 9. *)
Definition flip (s : square) : square := 7 * (8 - rank s) + file s.

Definition own_den : square := 3.
Definition other_den : square := 59.
Definition own_traps : list square := [2; 4; 10].
Definition other_traps : list square := [58; 60; 52].
Definition west_lake : list square := [22; 23; 29; 30; 36; 37].
Definition east_lake : list square := [25; 26; 32; 33; 39; 40].

Definition wet (s : square) : bool :=
  match lakes r with plain => false | _ => among s west_lake || among s east_lake end.
Definition lake_of (s : square) : list square := if among s west_lake then west_lake else east_lake.

Inductive direction := north | west | east | south.
Definition neighbour (s : square) (d : direction) : option square :=
  match d with
  | north => if rank s =? 8 then None else Some (s + 7)
  | south => if rank s =? 0 then None else Some (s - 7)
  | east => if file s =? 6 then None else Some (s + 1)
  | west => if file s =? 0 then None else Some (s - 1)
  end.

(* --- the animals ------------------------------------------------------------------------------------------ *)

Definition strength (a : animal) : int :=
  match a with
  | rat => 1 | cat => 2 | wolf => if wolf_over_dog r then 4 else 3 | dog => if wolf_over_dog r then 3 else 4
  | leopard => 5 | tiger => 6 | lion => 7 | elephant => 8
  end.

Definition takes (attacker victim : animal) : bool :=
  match attacker, victim with
  | rat, elephant => true
  | elephant, rat => elephant_takes_rat r
  | _, _ => strength victim <=? strength attacker
  end.

(* Whoever stands here is captured by any enemy, if that is the player to move. *)
Definition weak (s : square) : bool := among s own_traps || (clearings r && among s other_traps).

Definition drinks (a : animal) : bool :=
  match lakes r, a with drink, (rat | cat) => false | drink, _ => true | _, _ => false end.

Definition may_stand (a : animal) (s : square) : bool :=
  negb (s =? own_den) && negb (s =? other_den) && (negb (wet s) || same a rat || drinks a).

Definition jumps (a : animal) (d : direction) : bool :=
  match a, leopard_jumps r, d with
  | (tiger | lion), _, _ => true
  | leopard, wide, _ => true
  | leopard, narrow, (west | east) => true
  | _, _, _ => false
  end.

(* --- where an animal may go ------------------------------------------------------------------------------- *)

(* On `to` it may capture `prey`, if it takes them or they are weak. No rat of either side stands on `no_rat`, and
   no other animal on `no_other`. *)
Record way := { to : square; prey : list animal; no_rat : list square; no_other : list square }.

(* A rat captures within water or within land; under rat-shore=liacs it takes rats across the shore. Only rats are
   captured in water. *)
Definition prey_of_rat (from_water to_water : bool) : list animal :=
  if from_water && to_water then [rat]
  else if from_water || to_water then (if rat_shore_liacs r then [rat] else [])
  else animals.

(* A step to the next square. Who drinks enters a lake without a rat, captures nobody there nor on leaving, and
   leaves it with its next step. *)
Definition step (a : animal) (from next : square) : list way :=
  if same a rat then [{| to := next; prey := prey_of_rat (wet from) (wet next); no_rat := []; no_other := [] |}]
  else if wet next then
    (if wet from then [] else [{| to := next; prey := []; no_rat := lake_of next; no_other := [] |}])
  else [{| to := next; prey := if wet from then [] else animals; no_rat := []; no_other := [] |}].

(* From a square of water straight on to the first land square: the water crossed, and that square. *)
Fixpoint cross (fuel : nat) (s : square) (d : direction) (crossed : list square) : list (list square * square) :=
  match fuel with
  | O => []
  | S fuel' =>
      if wet s then match neighbour s d with Some next => cross fuel' next d (s :: crossed) | None => [] end
      else [(crossed, s)]
  end.

(* A jump over a lake, in which no rat swims. *)
Definition jump (a : animal) (from next : square) (d : direction) : list way :=
  if jumps a d && negb (wet from) && wet next then
    map (fun over => {| to := snd over; prey := animals;
                        no_rat := if jump_block_path r then fst over else lake_of next;
                        no_other := if drinkers_block r then fst over else [] |})
        (cross 4 next d [])
  else [].

(* Nobody enters the own den. *)
Definition ways (a : animal) (from : square) : list way :=
  filter (fun w => may_stand a (to w) || (to w =? other_den))
    (flat_map (fun d => match neighbour from d with
                        | Some next => step a from next ++ jump a from next d
                        | None => []
                        end) [north; west; east; south]).

(* --- positions and moves ---------------------------------------------------------------------------------- *)

Record piece := { who : animal; on : square }.
Definition turn_piece (x : piece) : piece := {| who := who x; on := flip (on x) |}.

(* The pieces of the player to move, and those of the other. *)
Record position := { own : list piece; other : list piece }.

Record move := { mover : piece; by_way : way }.

Definition move_lands_on (m : move) (x : piece) : bool := on x =? to (by_way m).

Definition way_is_free (w : way) (x : piece) : bool :=
  negb (among (on x) (if same (who x) rat then no_rat w else no_other w)).

Definition captures (m : move) (x : piece) : bool :=
  existsb (same (who x)) (prey (by_way m)) && (takes (who (mover m)) (who x) || weak (on x)).

(* A piece may go there: onto no piece of its side, past nobody that bars the way, onto an enemy that it captures. *)
Definition goes (p : position) (m : move) : bool :=
  forallb (fun x => negb (move_lands_on m x) && way_is_free (by_way m) x) (own p) &&
  forallb (fun x => way_is_free (by_way m) x && (negb (move_lands_on m x) || captures m x)) (other p).

(* The position after a move, as the other side sees it. *)
Definition moved (m : move) (x : piece) : piece :=
  if on x =? on (mover m) then {| who := who x; on := to (by_way m) |} else x.
Definition after (p : position) (m : move) : position :=
  {| own := map turn_piece (filter (fun x => negb (move_lands_on m x)) (other p));
     other := map turn_piece (map (moved m) (own p)) |}.

(* The player to move has lost: no piece is left to him, or the other side has entered his den. *)
Definition lost (p : position) : bool :=
  match own p with [] => true | _ => existsb (fun x => on x =? own_den) (other p) end.

Definition moves_of_piece (x : piece) : list move := map (fun w => {| mover := x; by_way := w |}) (ways (who x) (on x)).
Definition moves (p : position) : list move :=
  if lost p then [] else filter (goes p) (flat_map moves_of_piece (own p)).

(* Nothing is gained by moves. Who has lost has no move, and loses; who has none otherwise draws, or loses under
   stalemate=loss. *)
Definition end_worth (p : position) : Z := if lost p || stalemate_loss r then (-1)%Z else 0%Z.

Definition doushouqi : game :=
  {| Value.board := position; Value.move := move; Value.legal := fun p m => In m (moves p);
     Value.play := fun p m => (0%nat, after p m); Value.end_value := end_worth |}.
End Rules.
