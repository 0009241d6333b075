(* Machine integers of Coq's as OCaml's: the extracted check names its constants so. *)
let of_int (x : int) = x
