(* What a side gets if the first position that comes back ends play and each side takes its own row, and why
   tables with stages hold it. *)
From Coq Require Import Arith List ZArith Lia Bool.
Require Import Rules Boards.
Import ListNotations.
Open Scope Z_scope.

Section Repetition.
Variable r : rules.

(* --- the game ---------------------------------------------------------------------------------------------
   The history holds the boards met since the last capture: those with the present mover to move (mine), and
   those with the other side to move (theirs). Play is over if the board has no move, or was met before with
   the same side to move. Then each side takes its own row. *)
Definition over (mine : list board) (b : board) : Prop := ended r b \/ In b mine.

(* A move that captures leaves no history. *)
Definition history (g : nat) (met : list board) : list board := match g with O => met | S _ => [] end.

(* The side to move, and the side that is not, gets k net seeds or more of all that is played from now on. A
   derivation is a strategy: one move where the side moves, an answer to each move of the other side. *)
Inductive mover_gets : Z -> list board -> list board -> board -> Prop :=
| mover_over k mine theirs b : over mine b -> k <= end_value b -> mover_gets k mine theirs b
| mover_moves k mine theirs b p g c :
    ~ over mine b -> legal r b p -> play r b p = (g, c) ->
    other_gets (k - Z.of_nat g) (history g theirs) (history g (b :: mine)) c -> mover_gets k mine theirs b
with other_gets : Z -> list board -> list board -> board -> Prop :=
| other_over k mine theirs b : over mine b -> k <= - end_value b -> other_gets k mine theirs b
| other_answers k mine theirs b :
    ~ over mine b ->
    (forall p g c, legal r b p -> play r b p = (g, c) ->
       mover_gets (k + Z.of_nat g) (history g theirs) (history g (b :: mine)) c) ->
    other_gets k mine theirs b.

Scheme mover_gets_ind2 := Minimality for mover_gets Sort Prop
  with other_gets_ind2 := Minimality for other_gets Sort Prop.
Combined Scheme gets_ind from mover_gets_ind2, other_gets_ind2.

(* The value right after a capture, and at the start, where no board was met before. *)
Definition is_fresh_value (b : board) (v : Z) : Prop :=
  forall k, (mover_gets k [] [] b <-> k <= v) /\ (other_gets k [] [] b <-> k <= - v).

(* Who gets k gets less. *)
Lemma gets_less :
  (forall k mine theirs b, mover_gets k mine theirs b -> forall l, l <= k -> mover_gets l mine theirs b) /\
  (forall k mine theirs b, other_gets k mine theirs b -> forall l, l <= k -> other_gets l mine theirs b).
Proof.
  apply gets_ind; intros.
  - apply mover_over; auto; lia.
  - eapply mover_moves; eauto. apply H3. lia.
  - apply other_over; auto; lia.
  - apply other_answers; auto. intros p g c Hp E. apply (H1 p g c Hp E). lia.
Qed.

(* The two sides share what there is. *)
Lemma gets_not_both :
  (forall k mine theirs b, mover_gets k mine theirs b -> forall l, other_gets l mine theirs b -> k + l <= 0) /\
  (forall k mine theirs b, other_gets k mine theirs b -> forall l, mover_gets l mine theirs b -> k + l <= 0).
Proof.
  apply gets_ind.
  - intros k mine theirs b Ho Hk l H. inversion H; subst; [lia | contradiction].
  - intros k mine theirs b p g c No Hp E _ IH l H. inversion H; subst; [contradiction |].
    pose proof (IH _ (H1 p g c Hp E)). lia.
  - intros k mine theirs b Ho Hk l H. inversion H; subst; [lia | contradiction].
  - intros k mine theirs b No _ IH l H. inversion H; subst; [contradiction |].
    pose proof (IH p g c H1 H2 _ H3). lia.
Qed.

Lemma both_exact b v : mover_gets v [] [] b -> other_gets (- v) [] [] b -> is_fresh_value b v.
Proof.
  intros Hm Ho k. destruct gets_less as [Lm Lo], gets_not_both as [N _]. repeat split; intro H; eauto.
  - pose proof (N _ _ _ _ H _ Ho). lia.
  - pose proof (N _ _ _ _ Hm _ H). lia.
Qed.

(* --- play ends: there are finitely many boards ------------------------------------------------------------- *)

Lemma board_eq_dec (b c : board) : {b = c} + {b <> c}.
Proof. apply list_eq_dec, Nat.eq_dec. Qed.

Lemma over_or_moves mine b : over mine b \/ (~ over mine b /\ exists p, legal r b p).
Proof.
  destruct (some_move r b) as [He | (p & Hp)]; [left; left; exact He |].
  destruct (in_dec board_eq_dec b mine) as [Hi | Hi]; [left; right; exact Hi |].
  right. split; [| exists p; exact Hp]. intros [He | H]; [exact (He p Hp) | contradiction].
Qed.

Fixpoint all_boards (pits n : nat) : list board :=
  match pits with
  | O => [[]]
  | S pits' => flat_map (fun x => map (cons x) (all_boards pits' n)) (seq 0 (S n))
  end.

Lemma all_boards_are pits n : forall b, length b = pits -> (list_sum b <= n)%nat -> In b (all_boards pits n).
Proof.
  induction pits as [| pits IH]; intros [| x b] L S; try discriminate; [left; reflexivity |].
  change (list_sum (x :: b)) with (x + list_sum b)%nat in S. cbn [all_boards]. apply in_flat_map.
  exists x. split; [apply in_seq; lia |]. apply in_map, IH; [cbn [length] in L |]; lia.
Qed.

Definition unmet (boards met : list board) : nat :=
  length (filter (fun b => if in_dec board_eq_dec b met then false else true) boards).

Lemma unmet_cons boards met b : (unmet boards (b :: met) <= unmet boards met)%nat /\
  (In b boards -> ~ In b met -> (unmet boards (b :: met) < unmet boards met)%nat).
Proof.
  unfold unmet. induction boards as [| c boards [IHl IHs]]; [split; [auto | contradiction] |].
  cbn [filter]. destruct (in_dec board_eq_dec c (b :: met)) as [Y | N], (in_dec board_eq_dec c met) as [Y' | N'];
    cbn [length]; try (elim N; right; assumption); split; try lia.
  - intros [-> | Hb] Hn; [contradiction | apply IHs; auto].
  - intros [-> | Hb] Hn; [elim N; left; reflexivity | pose proof (IHs Hb Hn); lia].
Qed.

(* --- the theorem of stages ----------------------------------------------------------------------------------
   A table gives each board a value. It gives each side a guarantee and a stage: the mover's side is guaranteed lower,
   the other side minus upper, also where quiet moves that keep guarantees have led. The value is what the board is
   worth right after a capture, and may be more than the guarantees say. *)
Section Local.
Variables value lower upper : board -> Z.
Variables stage_mover stage_other : board -> Z.
Variable inside : board -> Prop.

(* A quiet move keeps what is guaranteed at a stage: more is guaranteed then, or as much at a lower stage; or at
   the same stage, and the board that is left pays as much if it comes back. *)
Definition keeps (guarantee stage pays guarantee' stage' : Z) : Prop :=
  guarantee < guarantee' \/
  guarantee = guarantee' /\ (stage' < stage \/ stage' = stage /\ guarantee <= pays).

Record kept_by_mover (b : board) : Prop := {
  kept_end : ended r b -> lower b <= end_value b;
  kept_move : ~ ended r b -> exists p g c, legal r b p /\ play r b p = (g, c) /\
    if (g =? 0)%nat then keeps (lower b) (stage_mover b) (end_value b) (- upper c) (stage_other c)
    else lower b <= Z.of_nat g - value c }.

Record kept_by_other (b : board) : Prop := {
  kept_end' : ended r b -> end_value b <= upper b;
  kept_moves : forall p g c, legal r b p -> play r b p = (g, c) ->
    if (g =? 0)%nat then keeps (- upper b) (stage_other b) (- end_value b) (lower c) (stage_mover c)
    else Z.of_nat g - value c <= upper b }.

Hypothesis are_boards : forall b, inside b -> is_board b.
Hypothesis inside_closed : forall b p, inside b -> legal r b p -> inside (snd (play r b p)).
Hypothesis mover_keeps : forall b, inside b -> kept_by_mover b.
Hypothesis other_keeps : forall b, inside b -> kept_by_other b.

(* What is taken on trust: a side gets the value right after a capture where less is guaranteed. *)
Hypothesis mover_trusted : forall b, inside b -> lower b < value b -> mover_gets (value b) [] [] b.
Hypothesis other_trusted : forall b, inside b -> value b < upper b -> other_gets (- value b) [] [] b.

(* A board that was met is behind if it cannot come back, or pays what is guaranteed now. *)
Definition behind_mover (guarantee stage : Z) (b : board) : Prop :=
  keeps (lower b) (stage_mover b) (end_value b) guarantee stage.
Definition behind_other (guarantee stage : Z) (b : board) : Prop :=
  keeps (- upper b) (stage_other b) (- end_value b) guarantee stage.

Lemma stays_behind g s p g' s' y sy py :
  keeps y sy py g s -> keeps g s p g' s' -> keeps y sy py g' s'.
Proof. unfold keeps. lia. Qed.

Lemma all_stay_behind g s p g' s' (of_value of_stage pays : board -> Z) met :
  Forall (fun b => keeps (of_value b) (of_stage b) (pays b) g s) met -> keeps g s p g' s' ->
  Forall (fun b => keeps (of_value b) (of_stage b) (pays b) g' s') met.
Proof. intros F K. eapply Forall_impl; [| exact F]. intros b Hb. cbv beta in *. eapply stays_behind; eauto. Qed.

Lemma move_facts b p g c : inside b -> legal r b p -> play r b p = (g, c) -> inside c /\ (g + seeds c = seeds b)%nat.
Proof.
  intros Hb Hp E. pose proof (inside_closed b p Hb Hp) as Hc. rewrite E in Hc. split; [exact Hc |].
  destruct Hp as [[Hp _] _]. apply (play_facts r b p g c (are_boards b Hb) Hp E).
Qed.

Definition guaranteed (b : board) : Prop := mover_gets (value b) [] [] b /\ other_gets (- value b) [] [] b.

(* Play of one slice, the smaller ones are known. *)
Lemma kept_to_the_end n : (forall c, inside c -> (seeds c < n)%nat -> guaranteed c) ->
  forall left b mine theirs, inside b -> seeds b = n ->
  (unmet (all_boards 12 n) mine + unmet (all_boards 12 n) theirs <= left)%nat ->
  (Forall (behind_mover (lower b) (stage_mover b)) mine ->
   Forall (behind_other (lower b) (stage_mover b)) theirs -> mover_gets (lower b) mine theirs b) /\
  (Forall (behind_other (- upper b) (stage_other b)) mine ->
   Forall (behind_mover (- upper b) (stage_other b)) theirs -> other_gets (- upper b) mine theirs b).
Proof.
  intro smaller. set (boards := all_boards 12 n).
  induction left as [left IH] using lt_wf_ind. intros b mine theirs Hb Hs Hleft.
  assert (Next : forall c, ~ over mine b -> inside c -> seeds c = n ->
    (unmet boards theirs + unmet boards (b :: mine) < left)%nat).
  { intros c No Hc Sc. destruct (unmet_cons boards mine b) as [_ U].
    assert (In b boards) by (apply all_boards_are; [apply are_boards; auto | unfold seeds in Hs; lia]).
    assert (~ In b mine) by (intro; apply No; right; auto). pose proof (U H H0). lia. }
  destruct (over_or_moves mine b) as [Ho | [No (p0 & Hp0)]]; split; intros Fm Ft.
  - apply mover_over; auto. destruct Ho as [He | Hi]; [apply (mover_keeps b Hb); auto |].
    rewrite Forall_forall in Fm. specialize (Fm b Hi). unfold behind_mover, keeps in Fm. lia.
  - apply other_over; auto. destruct Ho as [He | Hi].
    { pose proof (kept_end' b (other_keeps b Hb) He). lia. }
    rewrite Forall_forall in Fm. specialize (Fm b Hi). unfold behind_other, keeps in Fm. lia.
  - destruct (kept_move b (mover_keeps b Hb)) as (p & g & c & Hp & E & K).
    { intro He. exact (He p0 Hp0). }
    eapply mover_moves; eauto. destruct (move_facts b p g c Hb Hp E) as [Hc Sc].
    destruct g as [| g]; cbn [Nat.eqb history] in *.
    + destruct gets_less as [_ L]. apply (L (- upper c)); [| unfold keeps in K; lia].
      pose proof (Next c No Hc ltac:(lia)) as Hl.
      destruct (IH _ Hl c theirs (b :: mine) Hc ltac:(lia) ltac:(lia)) as [_ R]. apply R; auto.
      * eapply all_stay_behind; [exact Ft | exact K].
      * constructor; [exact K |]. eapply all_stay_behind; [exact Fm | exact K].
    + destruct (smaller c Hc ltac:(lia)) as [_ G]. destruct gets_less as [_ L]. apply (L (- value c)); auto; lia.
  - apply other_answers; auto. intros p g c Hp E. destruct (move_facts b p g c Hb Hp E) as [Hc Sc].
    pose proof (kept_moves b (other_keeps b Hb) p g c Hp E) as K.
    destruct g as [| g]; cbn [Nat.eqb history] in *.
    + destruct gets_less as [L _]. apply (L (lower c)); [| unfold keeps in K; lia].
      pose proof (Next c No Hc ltac:(lia)) as Hl.
      destruct (IH _ Hl c theirs (b :: mine) Hc ltac:(lia) ltac:(lia)) as [R _]. apply R; auto.
      * eapply all_stay_behind; [exact Ft | exact K].
      * constructor; [exact K |]. eapply all_stay_behind; [exact Fm | exact K].
    + destruct (smaller c Hc ltac:(lia)) as [G _]. destruct gets_less as [L _]. apply (L (value c)); auto; lia.
Qed.

Theorem stages_hold b : inside b -> is_fresh_value b (value b).
Proof.
  assert (G : forall n b, seeds b = n -> inside b -> guaranteed b).
  { induction n as [n IH] using lt_wf_ind. intros c Sc Hc.
    pose proof (kept_to_the_end n (fun d Hd Sd => IH (seeds d) Sd d eq_refl Hd) _ c [] [] Hc Sc (le_n _)) as [M O].
    destruct gets_less as [Lm Lo]. split.
    - destruct (Z_lt_ge_dec (lower c) (value c)); [apply mover_trusted; auto | apply (Lm (lower c)); [apply M; auto | lia]].
    - destruct (Z_lt_ge_dec (value c) (upper c)); [apply other_trusted; auto | apply (Lo (- upper c)); [apply O; auto | lia]]. }
  intro Hb. destruct (G _ b eq_refl Hb). apply both_exact; auto.
Qed.
End Local.
End Repetition.
