(* The theorem about exact values: tables with stages that pass the check hold what every board is worth right after a
   capture, if the first board that comes back ends play. *)
From Coq Require Import Arith List ZArith Lia Bool Uint63.
Require Import Rules Boards Stages Machine Cells Packed Check Sound Theorems.
Import ListNotations.
Open Scope Z_scope.

Section Exact.
Variable r : rules.
Variable read : int -> int.
Variable most : nat.
Hypothesis few : (most <= 48)%nat.

Variable lines : nat -> bool.

Let cell := cell read.
Let value := value_in read.

Definition lower_in (b : board) : Z := cell (low_of (lines (seeds b))) b - 128.
Definition upper_in (b : board) : Z := cell (high_of (lines (seeds b))) b - 128.
Definition mover_stage_in (b : board) : Z := cell depth_stream b.
Definition other_stage_in (b : board) : Z := cell (upper_stream + depth_stream) b.

Lemma judge_stage_not_skip low high l u paid s t g a : judge_stage read low high l u paid s t g a <> skip.
Proof. unfold judge_stage. repeat match goal with |- (if ?c then _ else _) <> _ => destruct c end; discriminate. Qed.

Lemma ltb_is x y : (x <? y)%uint63 = (to_Z x <? to_Z y).
Proof.
  apply eq_true_iff_eq. rewrite ltb_spec, Z.ltb_lt. reflexivity.
Qed.
Lemma leb_is x y : (x <=? y)%uint63 = (to_Z x <=? to_Z y).
Proof. apply eq_true_iff_eq. rewrite leb_spec, Z.leb_le. reflexivity. Qed.

Lemma bar_is stage stays : to_Z stage < 65536 -> to_Z (bar stage stays) = to_Z stage + (if stays then 1 else 0).
Proof.
  intro H. pose proof (to_Z_bounded stage). destruct stays; cbn [bar]; [| lia].
  rewrite add_spec. change (to_Z 1) with 1. apply Z.mod_small. rewrite wB_big. lia.
Qed.

Lemma eqb_is x y : (x =? y)%uint63 = (to_Z x =? to_Z y).
Proof.
  apply eq_true_iff_eq. rewrite eqb_spec, Z.eqb_eq. split; [congruence | apply to_Z_inj].
Qed.

Lemma worth_is g x : (g <= 48)%nat -> to_Z x <= 176 -> to_Z (256 + int_of g - x)%uint63 = 256 + Z.of_nat g - to_Z x.
Proof.
  intros Hg Hx. pose proof (to_Z_bounded x). rewrite sub_spec, add_spec, int_of_small by lia. change (to_Z 256) with 256.
  rewrite (Z.mod_small (256 + _)) by (rewrite wB_big; lia). apply Z.mod_small. rewrite wB_big. lia.
Qed.

Lemma quiet_worth_is x : to_Z x <= 176 -> to_Z (256 - x)%uint63 = 256 - to_Z x.
Proof.
  intros Hx. pose proof (to_Z_bounded x). rewrite sub_spec. change (to_Z 256) with 256. apply Z.mod_small.
  rewrite wB_big. lia.
Qed.

(* The two tests of a quiet move, in numbers. *)
Lemma not_denied u t paid x stage :
  (u <? 256 - x) || ((256 - x =? u) && (t + (if paid <=? u then 1 else 0) <=? stage)) = false ->
  keeps (- (u - 128)) t (- (paid - 128)) (x - 128) stage.
Proof.
  intro H. apply orb_false_elim in H. destruct H as [A B]. rewrite Z.ltb_ge in A. unfold keeps.
  destruct (Z.eqb_spec (256 - x) u) as [Q | Q]; [| lia]. cbn [andb] in B. rewrite Z.leb_gt in B.
  destruct (Z.leb_spec paid u); lia.
Qed.

Lemma kept l s paid x stage :
  (l <? 256 - x) || ((256 - x =? l) && (stage <? s + (if l <=? paid then 1 else 0))) = true ->
  keeps (l - 128) s (paid - 128) (- (x - 128)) stage.
Proof.
  intro H. apply orb_prop in H. unfold keeps. destruct H as [A | B]; [rewrite Z.ltb_lt in A; lia |].
  apply andb_prop in B. rewrite Z.eqb_eq, Z.ltb_lt in B. destruct (Z.leb_spec l paid); lia.
Qed.

(* A quiet move to a board with guarantees x and y, stages m and o. *)
Lemma judge_quiet (l u paid s t x y m o : int) :
  to_Z x <= 176 -> to_Z y <= 176 -> to_Z s < 65536 -> to_Z t < 65536 ->
  let denied := ((u <? 256 - x) || ((256 - x =? u) && (bar t (paid <=? u) <=? m)))%uint63 in
  let good := ((l <? 256 - y) || ((256 - y =? l) && (o <? bar s (l <=? paid))))%uint63 in
  (denied = false -> keeps (- (to_Z u - 128)) (to_Z t) (- (to_Z paid - 128)) (to_Z x - 128) (to_Z m)) /\
  (good = true -> keeps (to_Z l - 128) (to_Z s) (to_Z paid - 128) (- (to_Z y - 128)) (to_Z o)).
Proof.
  intros Hx Hy Hs Ht denied good. split; intro Q.
  - apply not_denied. rewrite <- Q. unfold denied.
    rewrite ltb_is, eqb_is, leb_is, (quiet_worth_is x Hx), (bar_is t _ Ht), leb_is. reflexivity.
  - apply kept. rewrite <- Q. unfold good.
    rewrite ltb_is, eqb_is, ltb_is, (quiet_worth_is y Hy), (bar_is s _ Hs), leb_is. reflexivity.
Qed.

(* A move against guarantees, stages, and what a repetition pays. *)
Lemma judge_stage_is low high l u paid s t g c :
  (g <= 48)%nat -> cell 0 c <= 176 -> (g = 0%nat -> cell low c <= 176 /\ cell high c <= 176) ->
  to_Z s < 65536 -> to_Z t < 65536 ->
  let j := judge_stage read low high l u paid s t (int_of g) (at_of c) in
  let L := to_Z l - 128 in let U := to_Z u - 128 in let E := to_Z paid - 128 in
  (j <> wrong ->
     if (g =? 0)%nat then keeps (- U) (to_Z t) (- E) (cell low c - 128) (mover_stage_in c)
     else Z.of_nat g - value c <= U) /\
  (j = hit ->
     if (g =? 0)%nat then keeps L (to_Z s) E (- (cell high c - 128)) (other_stage_in c)
     else L <= Z.of_nat g - value c).
Proof.
  intros Hg Hc Hr Hs Ht j L U E. unfold j, judge_stage, L, U, E. clear j L U E.
  assert (G0 : (int_of g =? 0)%uint63 = (g =? 0)%nat).
  { rewrite eqb_is, int_of_small by lia. change (to_Z 0) with 0.
    destruct (Nat.eqb_spec g 0), (Z.eqb_spec (Z.of_nat g) 0); lia. }
  rewrite G0. destruct (Nat.eqb_spec g 0) as [Z0 | Z0].
  - destruct (Hr Z0) as [Rl Rh].
    destruct (judge_quiet l u paid s t _ _ (mover_stage read (at_of c)) (other_stage read (at_of c)) Rl Rh Hs Ht) as [A B].
    cbv zeta in A, B.
    match goal with |- context [if ?d then wrong else if ?e then hit else fine] =>
      destruct d; [| destruct e] end.
    + split; intro Q; [elim Q; reflexivity | discriminate].
    + split; intros _; [exact (A eq_refl) | exact (B eq_refl)].
    + split; intro Q; [exact (A eq_refl) | discriminate].
  - assert (Ev : to_Z (256 + int_of g - read (at_of c))%uint63 = 128 + Z.of_nat g - value c).
    { rewrite worth_is; [unfold value, value_in, Sound.cell; rewrite no_stream; lia | exact Hg |].
      unfold cell, Sound.cell in Hc. rewrite no_stream in Hc. exact Hc. }
    rewrite !ltb_is, Ev.
    destruct (Z.ltb_spec (to_Z u) (128 + Z.of_nat g - value c)), (Z.ltb_spec (128 + Z.of_nat g - value c) (to_Z l));
      split; intro Q; try congruence; lia.
Qed.

Definition all_exact : Prop := forall n, (n <= most)%nat -> check_slice r read (exact (lines n)) n = true.

Section Board.
Hypothesis H : all_exact.
Variable b : board.
Hypothesis Hb : inside most b.

Let low := low_of (lines (seeds b)).
Let high := high_of (lines (seeds b)).
Let l := read (at_of b + low).
Let u := read (at_of b + high).
Let s := mover_stage read (at_of b).
Let t := other_stage read (at_of b).
Let paid := pays (packed (own b)) (packed (other b)).

Lemma exact_passes :
  in_range (int_of (seeds b)) (read (at_of b)) 0 = true /\
  in_range (int_of (seeds b)) l s = true /\ in_range (int_of (seeds b)) u t = true /\
  judge_moves r (judge_stage read low high l u paid s t) (fun e => (l <=? e) && (e <=? u))%uint63
    (packed (own b)) (packed (other b)) (moves_of (packed (own b)) pits) = hit.
Proof.
  destruct Hb as (B & R & S).
  pose proof (check_slice_meets r read (exact (lines (seeds b))) (seeds b) ltac:(lia) (H _ S) b B R eq_refl) as C.
  unfold check_board, check_one, check_exact in C. fold low high in C. fold l u s t paid in C.
  apply andb_prop in C. destruct C as [C C4]. apply andb_prop in C. destruct C as [C C3].
  apply andb_prop in C. destruct C as [C1 C2]. repeat (split; [assumption |]).
  destruct (judge_moves _ _ _ _ _ _); try discriminate; reflexivity.
Qed.
End Board.

Lemma exact_in_range : all_exact -> forall b, inside most b ->
  cell 0 b <= 176 /\ cell (low_of (lines (seeds b))) b <= 176 /\ cell (high_of (lines (seeds b))) b <= 176 /\
  mover_stage_in b < 65536 /\ other_stage_in b < 65536.
Proof.
  intros H b Hb. destruct (exact_passes H b Hb) as (C1 & C2 & C3 & _). destruct Hb as (_ & _ & S).
  apply ranges_are in C1; [| lia]. apply ranges_are in C2; [| lia]. apply ranges_are in C3; [| lia].
  unfold cell, Sound.cell at 1. rewrite no_stream. unfold mover_stage_in, other_stage_in.
  unfold mover_stage, other_stage in *. unfold cell, Sound.cell in *. lia.
Qed.

(* What its moves say of a board. *)
Lemma board_keeps : all_exact -> forall b, inside most b ->
  kept_by_mover r value lower_in upper_in mover_stage_in other_stage_in b /\
  kept_by_other r value lower_in upper_in mover_stage_in other_stage_in b.
Proof.
  intros H b Hb. destruct (exact_passes H b Hb) as (_ & _ & _ & C). pose proof Hb as (B & _ & S).
  destruct (exact_in_range H b Hb) as (_ & _ & _ & Sr & Tr).
  set (low := low_of (lines (seeds b))) in *. set (high := high_of (lines (seeds b))) in *.
  set (l := read (at_of b + low)) in *. set (u := read (at_of b + high)) in *.
  set (s := mover_stage read (at_of b)) in *. set (t := other_stage read (at_of b)) in *.
  set (paid := pays (packed (own b)) (packed (other b))) in *.
  assert (EL : to_Z l - 128 = lower_in b) by reflexivity.
  assert (EU : to_Z u - 128 = upper_in b) by reflexivity.
  assert (EP : to_Z paid - 128 = end_value b) by (unfold paid; rewrite (pays_is most few b Hb); lia).
  pose proof (judge_moves_is r b B ltac:(lia) _ (judge_stage_not_skip low high l u paid s t)
                (fun e => (l <=? e) && (e <=? u))%uint63) as J.
  cbv zeta in J. fold paid in J. rewrite C in J. destruct (J ltac:(discriminate)) as [Je Jh Ja].
  assert (End : ended r b -> lower_in b <= end_value b <= upper_in b).
  { intro He. specialize (Je He). cbv beta in Je. fold paid in Je. apply andb_prop in Je. rewrite !leb_is, !Z.leb_le in Je. lia. }
  assert (K : forall p g c, legal r b p -> play r b p = (g, c) ->
    let j := verdict_of r b (judge_stage read low high l u paid s t) p in
    (j <> wrong ->
     if (g =? 0)%nat then keeps (- upper_in b) (other_stage_in b) (- end_value b) (lower_in c) (mover_stage_in c)
     else Z.of_nat g - value c <= upper_in b) /\
    (j = hit ->
     if (g =? 0)%nat then keeps (lower_in b) (mover_stage_in b) (end_value b) (- upper_in c) (other_stage_in c)
     else lower_in b <= Z.of_nat g - value c)).
  { intros p g c Hp E. pose proof (inside_closed r most few b p Hb Hp) as Hc. rewrite E in Hc. cbn [snd] in Hc.
    destruct (exact_in_range H c Hc) as (Vc & Lc & Uc & _).
    assert (Q : g = 0%nat -> seeds c = seeds b).
    { intro Z0. subst g. exact (quiet_keeps_seeds r most few b p c Hb Hp E). }
    assert (R : g = 0%nat -> cell low c <= 176 /\ cell high c <= 176).
    { intro Z0. unfold low, high. rewrite <- (Q Z0). auto. }
    pose proof (judge_stage_is low high l u paid s t g c (captured_few r most few b p g c Hb Hp E) Vc R Sr Tr) as I.
    rewrite EL, EU, EP in I. unfold verdict_of. rewrite E. cbn [fst snd].
    set (j := judge_stage read low high l u paid s t (int_of g) (at_of c)) in *. clearbody j.
    destruct (Nat.eqb_spec g 0) as [Z0 | Z0]; [| exact I].
    unfold low, high in I. rewrite <- (Q Z0) in I. exact I. }
  split; constructor.
  - intro He. apply End, He.
  - intro N. destruct (Jh N eq_refl) as (p & Hp & A). destruct (play r b p) as [g c] eqn:E. exists p, g, c.
    split; [exact Hp |]. split; [exact E |]. apply (K p g c Hp E), A.
  - intro He. apply End, He.
  - intros p g c Hp E. apply (K p g c Hp E). destruct (Ja p Hp) as [A | A]; rewrite A; discriminate.
Qed.

(* What has to be taken on trust: boards of slices that lines of play closed, where a side is guaranteed less. *)
Definition lines_are_right : Prop := forall b, inside most b -> lines (seeds b) = true ->
  (lower_in b < value b -> mover_gets r (value b) [] [] b) /\
  (value b < upper_in b -> other_gets r (- value b) [] [] b).

Lemma without_lines b : lines (seeds b) = false -> lower_in b = value b /\ upper_in b = value b.
Proof. intro Q. unfold lower_in, upper_in. rewrite Q. split; reflexivity. Qed.

Theorem exact_values_hold : all_exact -> lines_are_right -> forall b, inside most b -> is_fresh_value r b (value_in read b).
Proof.
  intros H trust b Hb.
  apply (stages_hold r value lower_in upper_in mover_stage_in other_stage_in (inside most)); auto.
  - intros c (B & _). exact B.
  - intros c p Hc Hp. exact (inside_closed r most few c p Hc Hp).
  - intros c Hc. apply (board_keeps H c Hc).
  - intros c Hc. apply (board_keeps H c Hc).
  - intros c Hc L. destruct (lines (seeds c)) eqn:Q; [apply (trust c Hc Q), L | pose proof (without_lines c Q); lia].
  - intros c Hc L. destruct (lines (seeds c)) eqn:Q; [apply (trust c Hc Q), L | pose proof (without_lines c Q); lia].
Qed.
End Exact.
