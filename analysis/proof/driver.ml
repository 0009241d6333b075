(* tauler-proof awari|abapa scores|bounds SEEDS, or exact SEEDS LINES, or tauler-proof doushouqi RULES PIECES: reads
   plain cells of tables from standard input, slice by slice, and runs the proven check on them. LINES are the slices
   with values by lines of play, such as 6,7, or none. The check trusts the store of bytes that `read` uses.
   The first line of standard output has the program, its version and the question. Then comes "holds 0",
   "holds 1" ... for each slice in its order, and "read BYTES" after the last cell; or "wrong N" for the first slice
   that does not hold. "holds N but for M": M boards of a slice with values by lines of play are taken on trust.
   "works": the check makes progress.
   tauler-proof awari|abapa moves: reads boards, twelve numbers a line, and lists their moves by the rules;
   tauler-proof doushouqi RULES moves: does the same for positions, such as R3 c10.
   Exit codes: 0 all slices hold, 1 a slice does not, 64 unknown question, 65 standard input has too few or too many
   bytes. *)
let bytes_of_cell stream = 1 + (stream land 1)
let shift = 44 (* bits of the cell in a place. Above them are the stream, the slice and the mover's seeds *)
let stores = Array.make (1 lsl 15) Bytes.empty

let reads = ref 0
let taken = ref 0

let read at =
  incr reads;
  if !reads land 0xFFFFFFF = 0 then Printf.printf "works\n%!";
  let store = stores.(at lsr shift) and i = at land ((1 lsl shift) - 1) in
  if at land (1 lsl 56) = 0 then Char.code (Bytes.get store i) lxor 128 else Bytes.get_uint16_le store (2 * i)

let rec choose n k = if k = 0 then 1 else if n < k then 0 else choose (n - 1) (k - 1) * n / k
let rows k = choose (k + 5) 5
let open_rows k = rows k - choose (k - 1) 5
let slot stream n k = (stream lsl 12) lor (n lsl 6) lor k

(* Reads the cells of a stream in the order of the index: by the seeds of the mover's row. *)
let fill n stream =
  for k = 0 to n do
    let bytes = bytes_of_cell stream * rows k * open_rows (n - k) in
    let store = Bytes.create bytes in
    really_input stdin store 0 bytes;
    taken := !taken + bytes;
    stores.(slot stream n k) <- store
  done

(* Frees a stream of a slice, since no other slice reads its depths. *)
let forget n stream = for k = 0 to n do stores.(slot stream n k) <- Bytes.empty done

let nat n =
  let rec up i made = if i = 0 then made else up (i - 1) (Checker.S made) in
  up n Checker.O

let rec number = function Checker.O -> 0 | Checker.S n -> 1 + number n

let list_moves rules =
  let show (p, (captured, board)) = String.concat " " (List.map string_of_int (p :: captured :: List.map number board)) in
  try
    while true do
      let board = List.map (fun x -> nat (int_of_string x)) (String.split_on_char ' ' (input_line stdin)) in
      let moves = List.map (fun (p, (g, b)) -> (number p, (number g, b))) (Checker.moves rules board) in
      print_endline (String.concat "; " (List.map show moves))
    done
  with End_of_file -> ()

let fail why = prerr_endline ("tauler-proof: " ^ why); exit 65

(* --- slices with values by lines of play ---
   No table has their guarantees, which also hold after quiet moves. They are found from the values downward: if its
   stages do not prove the guarantee of a side, it is lowered, until none changes. This needs no proof, because the
   check finds errors. *)

let lower_stages = 1 and upper_stages = 3 and lower = 4 and upper = 6

let cell at stream = (stores.(at lsr shift lor (stream lsl 12)), at land ((1 lsl shift) - 1))
let set_value at stream value = let store, i = cell at stream in Bytes.set_uint8 store i (value lxor 128)
let set_stage at stream stage = let store, i = cell at stream in Bytes.set_uint16_le store (2 * i) stage

let find_guarantees rules n =
  let changed = ref true in
  let look seeds own row at moves =
    let low = Checker.low_of true and high = Checker.high_of true and paid = Checker.pays own row in
    let s = Checker.mover_stage read at and t = Checker.other_stage read at in
    let verdict l u s t =
      Checker.judge_moves rules (Checker.judge_stage read low high l u paid s t) (fun _ -> true) own row moves in
    let l = read (at + low) and u = read (at + high) in
    let rec lowered l = if l > 128 - seeds && verdict l 255 s 0 <> Checker.Hit then lowered (l - 1) else l in
    let rec raised u = if u < 128 + seeds && verdict 0 u 0 t = Checker.Wrong then raised (u + 1) else u in
    let l' = lowered l and u' = raised u in
    if l' <> l then (set_value at lower l'; changed := true);
    if u' <> u then (set_value at upper u'; changed := true);
    if l' = 128 - seeds && s <> 0 then (set_stage at lower_stages 0; changed := true);
    if u' = 128 + seeds && t <> 0 then (set_stage at upper_stages 0; changed := true);
    true in
  let seeds = Checker.machine (nat n) in
  for k = 0 to n do
    let values = stores.(slot 0 n k) in
    List.iter (fun stream -> stores.(slot stream n k) <- Bytes.copy values) [ lower; upper ]
  done;
  while !changed do
    changed := false;
    ignore (Checker.check_groups look seeds Checker.O (nat n) 0 (seeds lsl 40))
  done

let boards_on_trust n =
  let count = ref 0 in
  for k = 0 to n do
    let at stream i = Bytes.get stores.(slot stream n k) i in
    for i = 0 to Bytes.length stores.(slot 0 n k) - 1 do
      if at lower i <> at 0 i || at upper i <> at 0 i then incr count
    done
  done;
  !count

(* --- questions --- *)

type question = { kind : int -> Checker.kind; values : int list; depths : int list }

let scores = { kind = (fun _ -> Checker.Scores); values = [ 0 ]; depths = [ 1 ] }
let bounds = { kind = (fun _ -> Checker.Bounds); values = [ 0; 2 ]; depths = [ 1; 3 ] }
let exact lines =
  { kind = (fun n -> Checker.Exact (List.mem n lines)); values = [ 0 ]; depths = [ lower_stages; upper_stages ] }

let check rules asked most =
  for n = 0 to most do
    List.iter (fill n) (asked.values @ asked.depths);
    let by_lines = asked.kind n = Checker.Exact true in
    if by_lines then find_guarantees rules n;
    if not (Checker.check_slice rules read (asked.kind n) (nat n)) then (Printf.printf "wrong %d\n%!" n; exit 1);
    if by_lines then Printf.printf "holds %d but for %d\n%!" n (boards_on_trust n)
    else Printf.printf "holds %d\n%!" n;
    List.iter (forget n) (lower :: upper :: asked.depths)
  done;
  !taken

(* Runs a check of all of standard input, and prints the number of bytes that it read. *)
let whole check =
  let taken = try check () with End_of_file -> fail "cells are missing" in
  (match input_char stdin with _ -> fail "more cells come than the slices have" | exception End_of_file -> ());
  Printf.printf "read %d\n" taken

let slices text = if text = "none" then [] else List.map int_of_string (String.split_on_char ',' text)

let within least most text = match int_of_string text with n when least <= n && n <= most -> n | _ -> failwith "number"

let understood game question =
  match (game, question) with
  | "doushouqi", [ rules; "moves" ] -> let rules = Doushouqi.rules_of rules in fun () -> Doushouqi.list_moves rules
  | "doushouqi", [ rules; pieces ] ->
    let rules = Doushouqi.rules_of rules and most = within 2 Doushouqi.most_pieces pieces in
    fun () -> whole (fun () -> Doushouqi.check rules most)
  | _ -> (
    let rules = match game with "awari" -> Checker.Awari | "abapa" -> Checker.Abapa | _ -> failwith "rules" in
    let checked asked seeds = let most = within 0 48 seeds in fun () -> whole (fun () -> check rules asked most) in
    match question with
    | [ "moves" ] -> fun () -> list_moves rules
    | [ "scores"; seeds ] -> checked scores seeds
    | [ "bounds"; seeds ] -> checked bounds seeds
    | [ "exact"; seeds; lines ] -> checked (exact (slices lines)) seeds
    | _ -> failwith "question")

let () =
  set_binary_mode_in stdin true;
  let asked = match Array.to_list Sys.argv with _ :: asked -> asked | [] -> [] in
  match asked with
  | game :: question ->
    let answer =
      try understood game question
      with Failure _ ->
        prerr_endline
          "tauler-proof: awari|abapa scores|bounds SEEDS, exact SEEDS LINES, or moves; doushouqi RULES PIECES, or moves";
        exit 64 in
    if not (List.mem "moves" question) then
      Printf.printf "tauler-proof %s %s\n%!" Version.version (String.concat " " asked);
    answer ()
  | [] -> exit 64
