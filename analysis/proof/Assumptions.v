(* What the theorems rest on. *)
Require Import Boards Theorems Guarantees Stages.
Print Assumptions legal_is.
Print Assumptions scores_hold.
Print Assumptions guarantees_hold.
Print Assumptions stages_hold.
