(* What the theorems rest on. *)
Require Import Boards Theorems Guarantees.
Print Assumptions legal_is.
Print Assumptions scores_hold.
Print Assumptions guarantees_hold.
