(* What a side can force by finite play in any game of two sides, values by it, and why tables with depths that agree
   with their moves hold these values. *)
From Coq Require Import Arith List ZArith Lia Bool.
Import ListNotations.
Open Scope Z_scope.

(* Boards as the player to move sees them. A move gains him something, or nothing, and leads to the board that the
   other side then sees. Where no move is legal, the game has ended, and is worth so much to him. *)
Record game := {
  board : Type;
  move : Type;
  legal : board -> move -> Prop;
  play : board -> move -> nat * board;
  end_value : board -> Z }.

Section Values.
Variable G : game.

Notation board := (board G).
Notation legal := (legal G).
Notation play := (play G).
Notation end_value := (end_value G).

Definition ended (b : board) : Prop := forall p, ~ legal b p.

(* What the mover is guaranteed of a board (lower), and the most that the other side lets him have (upper):
   the other side is guaranteed -upper. Where play is worth one number the two are the same function. Only
   boards after a move that gains something are asked: a capture, which leaves fewer seeds. *)
Section Forces.
Variables lower upper : board -> Z.
Variable k : Z.

(* The side to move, and the side that is not, forces k net seeds or more by play that captures or ends. *)
Inductive mover_forces : board -> Prop :=
| mover_ends b : ended b -> k <= end_value b -> mover_forces b
| mover_captures b p g c :
    legal b p -> play b p = (g, c) -> (0 < g)%nat -> k <= Z.of_nat g - upper c -> mover_forces b
| mover_plays b p c : legal b p -> play b p = (0%nat, c) -> other_forces c -> mover_forces b
with other_forces : board -> Prop :=
| other_ends b : ended b -> k <= - end_value b -> other_forces b
| other_waits b p0 :
    legal b p0 ->
    (forall p g c,
       legal b p -> play b p = (g, c) -> (0 < g)%nat -> k <= lower c - Z.of_nat g) ->
    (forall p c, legal b p -> play b p = (0%nat, c) -> mover_forces c) ->
    other_forces b.
End Forces.

Scheme mover_forces_ind2 := Minimality for mover_forces Sort Prop
  with other_forces_ind2 := Minimality for other_forces Sort Prop.
Combined Scheme forces_ind from mover_forces_ind2, other_forces_ind2.

Lemma forall_and (P Q R S : board -> Prop) :
  (forall b, P b -> Q b) /\ (forall b, R b -> S b) -> forall b, (P b -> Q b) /\ (R b -> S b).
Proof. firstorder. Qed.

(* Who forces k forces less. *)
Lemma weaker lower upper k l b : l <= k ->
  (mover_forces lower upper k b -> mover_forces lower upper l b) /\
  (other_forces lower upper k b -> other_forces lower upper l b).
Proof.
  intro Hl. revert b. apply forall_and. apply forces_ind; intros.
  - apply mover_ends; auto; lia.
  - eapply mover_captures; eauto; lia.
  - eapply mover_plays; eauto.
  - apply other_ends; auto; lia.
  - eapply other_waits; eauto. intros q g c Hq E Hg. specialize (H0 q g c Hq E Hg). lia.
Qed.

(* A set of boards that no move leaves, such as those with at most 20 seeds that can come up in play. *)
Definition closed (inside : board -> Prop) : Prop :=
  forall b p, inside b -> legal b p -> inside (snd (play b p)).

(* Scores: the value is what the one side or the other can force. Where none forces anything play goes on for
   ever, the seeds left are split evenly, and the value is 0. *)
Definition is_value (inside : board -> Prop) (value : board -> Z) : Prop :=
  forall b k, inside b -> 1 <= k ->
    (mover_forces value value k b <-> k <= value b) /\
    (other_forces value value k b <-> k <= - value b).

(* Guarantees, whatever endless play pays. Nobody gains less than the floor. *)
Definition are_guarantees (inside : board -> Prop) (floor lower upper : board -> Z) : Prop :=
  forall b k, inside b -> floor b < k ->
    (mover_forces lower upper k b <-> k <= lower b) /\
    (other_forces lower upper k b <-> k <= - upper b).

(* What is asked of a table: its cells agree with their moves, and depths fall along forced play. Below the
   floor nothing is forced. *)
Section Local.
Variables lower upper : board -> Z.
Variables depth_lower depth_upper : board -> nat.
Variable floor : board -> Z.

Record agrees (b : board) : Prop := {
  agrees_end : ended b -> lower b = end_value b /\ upper b = end_value b;
  agrees_moves : forall p g c, legal b p -> play b p = (g, c) ->
    Z.of_nat g - upper c <= lower b /\ Z.of_nat g - lower c <= upper b;
  agrees_lower : ~ ended b -> floor b < lower b -> exists p g c,
    legal b p /\ play b p = (g, c) /\ Z.of_nat g - upper c = lower b /\
    ((0 < g)%nat \/ (depth_upper c < depth_lower b)%nat);
  agrees_upper : ~ ended b -> exists p g c,
    legal b p /\ play b p = (g, c) /\ Z.of_nat g - lower c = upper b;
  agrees_depth : forall p c, legal b p -> play b p = (0%nat, c) -> floor b < - upper b ->
    - lower c = upper b -> (depth_lower c < depth_upper b)%nat }.

Variable inside : board -> Prop.
Hypothesis inside_closed : closed inside.
Hypothesis decided : forall b, inside b -> ended b \/ exists p, legal b p.
Hypothesis all_agree : forall b, inside b -> agrees b.
Hypothesis floor_kept : forall b p c,
  inside b -> legal b p -> play b p = (0%nat, c) -> floor c = floor b.
Variable most : Z.
Hypothesis bounded : forall b, inside b -> lower b <= most /\ - upper b <= most.

Lemma stays b p g c : inside b -> legal b p -> play b p = (g, c) -> inside c.
Proof.
  intros Hb Hp E. pose proof (inside_closed b p Hb Hp) as H. rewrite E in H. exact H.
Qed.

(* What a table promises can be forced: guarantees never fall, and where they stay the same depths fall. *)
Lemma forced_by : forall (rank : nat) (d : nat) b,
  inside b ->
  (floor b < lower b -> most - lower b <= Z.of_nat rank -> (depth_lower b <= d)%nat ->
   mover_forces lower upper (lower b) b) /\
  (floor b < - upper b -> most + upper b <= Z.of_nat rank -> (depth_upper b <= d)%nat ->
   other_forces lower upper (- upper b) b).
Proof.
  induction rank as [rank IHrank] using lt_wf_ind.
  induction d as [d IHd] using lt_wf_ind.
  intros b Hb. pose proof (all_agree b Hb) as A. pose proof (bounded b Hb) as [Bl Bu]. split; intros F R D.
  - destruct (decided b Hb) as [He | [p0 Hp0]].
    { apply mover_ends; auto. destruct (agrees_end b A He); lia. }
    destruct (agrees_lower b A) as (p & g & c & Hp & E & V & Hd); auto.
    { intro He. exact (He p0 Hp0). }
    destruct g as [| g].
    2: { eapply mover_captures; eauto; lia. }
    destruct Hd as [Hd | Hd]; [lia |].
    eapply mover_plays; eauto.
    pose proof (stays b p 0%nat c Hb Hp E) as Hc. pose proof (floor_kept b p c Hb Hp E) as Ef.
    replace (lower b) with (- upper c) by lia.
    apply (IHd (depth_upper c)); auto; lia.
  - destruct (decided b Hb) as [He | [p0 Hp0]].
    { apply other_ends; auto. destruct (agrees_end b A He); lia. }
    eapply other_waits; eauto.
    + intros p g c Hp E Hg. destruct (agrees_moves b A p g c Hp E); lia.
    + intros p c Hp E. pose proof (stays b p 0%nat c Hb Hp E) as Hc.
      pose proof (floor_kept b p c Hb Hp E) as Ef.
      destruct (agrees_moves b A p 0%nat c Hp E) as [_ M].
      destruct (Z.eq_dec (lower c) (- upper b)) as [Eq | Ne].
      * rewrite <- Eq. apply (IHd (depth_lower c)); auto; try lia.
        pose proof (agrees_depth b A p c Hp E F). lia.
      * apply (weaker lower upper (lower c) (- upper b) c ltac:(lia)).
        pose proof (bounded c Hc) as [Bc _].
        apply (IHrank (Z.to_nat (most - lower c)) ltac:(lia) (depth_lower c)); auto; lia.
Qed.

(* Nothing better can be forced. *)
Lemma forced_only k :
  (forall b, mover_forces lower upper k b -> inside b -> k <= lower b) /\
  (forall b, other_forces lower upper k b -> inside b -> k <= - upper b).
Proof.
  apply forces_ind.
  - intros b He Hk Hb. destruct (agrees_end b (all_agree b Hb) He). lia.
  - intros b p g c Hp E Hg Hk Hb. destruct (agrees_moves b (all_agree b Hb) p g c Hp E). lia.
  - intros b p c Hp E _ IH Hb. destruct (agrees_moves b (all_agree b Hb) p _ c Hp E).
    specialize (IH (stays b p _ c Hb Hp E)). lia.
  - intros b He Hk Hb. destruct (agrees_end b (all_agree b Hb) He). lia.
  - intros b p0 Hp0 Hcap _ IH Hb.
    destruct (agrees_upper b (all_agree b Hb)) as (p & g & c & Hp & E & V).
    { intro He. exact (He p0 Hp0). }
    destruct g as [| g].
    + specialize (IH p c Hp E (stays b p _ c Hb Hp E)). lia.
    + specialize (Hcap p (S g) c Hp E ltac:(lia)). lia.
Qed.

Theorem local_forces b k : inside b -> floor b < k ->
  (mover_forces lower upper k b <-> k <= lower b) /\
  (other_forces lower upper k b <-> k <= - upper b).
Proof.
  intros Hb Hk. destruct (forced_only k) as [Om Oo].
  pose proof (bounded b Hb).
  split; split; intro H1; eauto.
  - apply (weaker lower upper (lower b) k b H1).
    apply (forced_by (Z.to_nat (most - lower b)) (depth_lower b) b Hb); lia.
  - apply (weaker lower upper (- upper b) k b H1).
    apply (forced_by (Z.to_nat (most + upper b)) (depth_upper b) b Hb); lia.
Qed.
End Local.

(* Wins within n moves of both sides together, where no move gains anything: only ends count. *)
Inductive mover_wins : nat -> board -> Prop :=
| mover_won n b : ended b -> 1 <= end_value b -> mover_wins n b
| mover_goes n b p c : legal b p -> play b p = (0%nat, c) -> other_wins n c -> mover_wins (S n) b
with other_wins : nat -> board -> Prop :=
| other_won n b : ended b -> end_value b <= -1 -> other_wins n b
| other_answers n b p0 :
    legal b p0 -> (forall p c, legal b p -> play b p = (0%nat, c) -> mover_wins n c) -> other_wins (S n) b.

Scheme mover_wins_ind2 := Minimality for mover_wins Sort Prop
  with other_wins_ind2 := Minimality for other_wins Sort Prop.
Combined Scheme wins_ind from mover_wins_ind2, other_wins_ind2.

(* A table of wins, draws and losses (1, 0, -1) and the distances of wins and losses to the end. *)
Definition are_distances (inside : board -> Prop) (value : board -> Z) (depth : board -> nat) : Prop :=
  forall b n, inside b ->
    (mover_wins n b <-> 1 <= value b /\ (depth b <= n)%nat) /\
    (other_wins n b <-> value b <= -1 /\ (depth b <= n)%nat).

Section Distances.
Variable value : board -> Z.
Variable depth : board -> nat.
Variable inside : board -> Prop.
Hypothesis inside_closed : closed inside.
Hypothesis decided : forall b, inside b -> ended b \/ exists p, legal b p.
Hypothesis no_gain : forall b p, fst (play b p) = 0%nat.
Hypothesis all_agree : forall b, inside b -> agrees value value depth depth (fun _ => 0) b.
Hypothesis bounded : forall b, inside b -> -1 <= value b <= 1.

(* Beyond that depths fall, they are no larger than the moves say: winners take the quickest, losers the slowest. *)
Record is_nearest (b : board) : Prop := {
  nearest_end : ended b -> depth b = 0%nat;
  nearest_win : forall p c, legal b p -> play b p = (0%nat, c) -> 1 <= value b -> value c <= -1 ->
    (depth b <= S (depth c))%nat;
  nearest_loss : ~ ended b -> value b <= -1 -> exists p c,
    legal b p /\ play b p = (0%nat, c) /\ (depth b <= S (depth c))%nat }.
Hypothesis all_nearest : forall b, inside b -> is_nearest b.

Lemma leads b p : inside b -> legal b p -> exists c, play b p = (0%nat, c) /\ inside c.
Proof.
  intros Hb Hp. pose proof (inside_closed b p Hb Hp) as Hc. pose proof (no_gain b p).
  destruct (play b p) as [g c]. cbn [fst snd] in *. subst g. eauto.
Qed.

Lemma wins_within n : forall b, inside b -> (depth b <= n)%nat ->
  (1 <= value b -> mover_wins n b) /\ (value b <= -1 -> other_wins n b).
Proof.
  induction n as [n IH] using lt_wf_ind. intros b Hb Hd.
  pose proof (all_agree b Hb) as A. pose proof (bounded b Hb) as B.
  destruct (decided b Hb) as [He | (p0 & Hp0)].
  { pose proof (agrees_end _ _ _ _ _ b A He). split; intro; [apply mover_won | apply other_won]; auto; lia. }
  assert (N : ~ ended b) by (intro He; exact (He p0 Hp0)). split; intro V.
  - destruct (agrees_lower _ _ _ _ _ b A N ltac:(cbv beta; lia)) as (p & g & c & Hp & E & M & D).
    pose proof (no_gain b p) as Z0. rewrite E in Z0. cbn in Z0. subst g. destruct D as [D | D]; [lia |].
    pose proof (inside_closed b p Hb Hp) as Hc. rewrite E in Hc. cbn in Hc.
    destruct n as [| n]; [lia |]. apply (mover_goes n b p c Hp E). apply (IH n); auto; lia.
  - destruct (leads b p0 Hb Hp0) as (c0 & E0 & _).
    assert (S0 : forall p c, legal b p -> play b p = (0%nat, c) -> inside c -> 1 <= value c /\ (depth c < depth b)%nat).
    { intros p c Hp E Hc. destruct (agrees_moves _ _ _ _ _ b A p _ c Hp E) as [M _]. pose proof (bounded c Hc).
      split; [lia |]. apply (agrees_depth _ _ _ _ _ b A p c Hp E); lia. }
    assert (inside c0). { pose proof (inside_closed b p0 Hb Hp0) as Q. rewrite E0 in Q. exact Q. }
    pose proof (S0 p0 c0 Hp0 E0 ltac:(assumption)). destruct n as [| n]; [lia |].
    apply (other_answers n b p0 Hp0). intros p c Hp E.
    assert (Hc : inside c). { pose proof (inside_closed b p Hb Hp) as Q. rewrite E in Q. exact Q. }
    destruct (S0 p c Hp E Hc). apply (IH n); auto; lia.
Qed.

Lemma wins_only :
  (forall n b, mover_wins n b -> inside b -> 1 <= value b /\ (depth b <= n)%nat) /\
  (forall n b, other_wins n b -> inside b -> value b <= -1 /\ (depth b <= n)%nat).
Proof.
  apply wins_ind.
  - intros n b He V Hb. pose proof (agrees_end _ _ _ _ _ b (all_agree b Hb) He).
    rewrite (nearest_end b (all_nearest b Hb) He). lia.
  - intros n b p c Hp E _ IH Hb. pose proof (inside_closed b p Hb Hp) as Hc. rewrite E in Hc. cbn in Hc.
    destruct (IH Hc) as [V D]. destruct (agrees_moves _ _ _ _ _ b (all_agree b Hb) p _ c Hp E) as [M _].
    pose proof (nearest_win b (all_nearest b Hb) p c Hp E ltac:(lia) V). lia.
  - intros n b He V Hb. pose proof (agrees_end _ _ _ _ _ b (all_agree b Hb) He).
    rewrite (nearest_end b (all_nearest b Hb) He). lia.
  - intros n b p0 Hp0 _ IH Hb. assert (N : ~ ended b) by (intro He; exact (He p0 Hp0)).
    assert (V : value b <= -1).
    { destruct (agrees_upper _ _ _ _ _ b (all_agree b Hb) N) as (p & g & c & Hp & E & M).
      pose proof (no_gain b p) as Z0. rewrite E in Z0. cbn in Z0. subst g.
      pose proof (inside_closed b p Hb Hp) as Hc. rewrite E in Hc. destruct (IH p c Hp E Hc). lia. }
    destruct (nearest_loss b (all_nearest b Hb) N V) as (p & c & Hp & E & D).
    pose proof (inside_closed b p Hb Hp) as Hc. rewrite E in Hc. destruct (IH p c Hp E Hc). lia.
Qed.

Theorem local_distances : are_distances inside value depth.
Proof.
  intros b n Hb. destruct wins_only as [M O].
  split; split; [intro H; exact (M n b H Hb) | intros [V D] | intro H; exact (O n b H Hb) | intros [V D]];
    apply (wins_within n b Hb D); exact V.
Qed.
End Distances.
End Values.
