(* The rules of awari and abapa, one board at a time, written to be read beside games/auale/rules.c.
   Everything that is proven here is proven about this file. *)
From Coq Require Import Arith List ZArith Bool.
Import ListNotations.

Inductive rules := awari | abapa.

(* Seeds in the twelve pits as the player to move sees them: pits 0-5 are the mover's, 6-11 the opponent's,
   in sowing order. *)
Definition board := list nat.

Definition is_board (b : board) : Prop := length b = 12.
Definition pit (b : board) (i : nat) : nat := nth i b 0.
Definition seeds (b : board) : nat := list_sum b.
Definition own (b : board) : list nat := firstn 6 b.
Definition other (b : board) : list nat := skipn 6 b.

(* The board as the other side sees it. *)
Definition turn (b : board) : board := other b ++ own b.

(* The board with x seeds in pit i. *)
Fixpoint put (i x : nat) (b : board) : board :=
  match b, i with
  | [], _ => []
  | _ :: pits, 0 => x :: pits
  | first :: pits, S j => first :: put j x pits
  end.

(* Seeds are sown one by one anticlockwise; the pit of origin is skipped every time round. *)
Definition next (origin at_ : nat) : nat :=
  let i := (at_ + 1) mod 12 in if i =? origin then (i + 1) mod 12 else i.

(* Sows the seeds in hand behind pit at_: the pit of the last seed, and the board. *)
Fixpoint sow (origin at_ hand : nat) (b : board) : nat * board :=
  match hand with
  | 0 => (at_, b)
  | S rest => let i := next origin at_ in sow origin i rest (put i (pit b i + 1) b)
  end.

(* Captures from the n-th pit of the opponent backwards, as long as each holds 2 or 3 seeds: what is captured,
   and the board without it. *)
Fixpoint capture (n : nat) (b : board) : nat * board :=
  match n with
  | 0 => (0, b)
  | S m =>
      let x := pit b (6 + m) in
      if (x =? 2) || (x =? 3)
      then let (more, left) := capture m (put (6 + m) 0 b) in (x + more, left)
      else (0, b)
  end.

(* In abapa a move that captures every seed the opponent has captures nothing. *)
Definition keeps (r : rules) : bool := match r with awari => false | abapa => true end.

(* A move of pit p: the seeds that it captures, and the board that the other side then sees. The last seed
   captures if it falls into a pit of the opponent: pit 6 is his first. *)
Definition play (r : rules) (b : board) (p : nat) : nat * board :=
  let (last, sown) := sow p p (pit b p) (put p 0 b) in
  let (captured, left) := capture (last - 5) sown in
  if keeps r && (0 <? captured) && (list_sum (other left) =? 0)
  then (0, turn sown)
  else (captured, turn left).

Definition can_sow (b : board) (p : nat) : Prop := p < 6 /\ 0 < pit b p.

(* A move feeds if it leaves the opponent a seed. *)
Definition feeds (r : rules) (b : board) (p : nat) : Prop := 0 < list_sum (own (snd (play r b p))).

(* Moves that feed are legal. If there is none, all moves are legal in awari, and in abapa the game ends. *)
Definition legal (r : rules) (b : board) (p : nat) : Prop :=
  can_sow b p /\
  (feeds r b p \/ (r = awari /\ forall q, can_sow b q -> ~ feeds r b q)).

Definition ended (r : rules) (b : board) : Prop := forall p, ~ legal r b p.

(* When the game has ended each side takes its own row. What the mover gains, net: *)
Definition end_value (b : board) : Z := Z.of_nat (list_sum (own b)) - Z.of_nat (list_sum (other b)).

(* The opponent has just moved and has emptied a pit. Every board but a start position is so. *)
Definition reachable (b : board) : Prop := In 0 (other b).
