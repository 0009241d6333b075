(* The theorem about Dou Shou Qi: tables that pass the check hold the value of every position, and its distance to the
   end. *)
From Coq Require Import Arith List ZArith Lia Bool Uint63.
Require Import Value Cells Doushouqi Placements Positions.
Import ListNotations.
Open Scope Z_scope.

Section Endings.
Variable r : rules.
Variable read : int -> int.
Variable most : nat.

Let inside := inside r most.

(* --- all positions are met ------------------------------------------------------------------------------------------ *)

Definition on_stand (x : stand) : square := on (placed x).

Lemma placements_meet todo : forall taken check xs, all_placements todo taken check = true ->
  Forall2 (fun l x => In x l) todo xs -> NoDup (map on_stand xs) ->
  (forall x y, In x xs -> In y taken -> on_stand x <> on_stand y) -> check xs = true.
Proof.
  induction todo as [| l todo IH]; intros taken check xs H F N D; inversion F as [| ? x ? xs' Hx F']; subst; [exact H |].
  cbn [all_placements] in H. rewrite forallb_forall in H. specialize (H x Hx).
  cbn [map] in N. inversion N as [| ? ? Nx N']; subst.
  destruct (existsb (fun y => on (placed x) =? on (placed y))%uint63 taken) eqn:E.
  - apply existsb_exists in E. destruct E as (y & Hy & E). apply eqb_spec in E.
    elim (D x y); [left; reflexivity | exact Hy | exact E].
  - apply (IH _ (fun rest => check (x :: rest)) xs' H F' N').
    intros z y Hz [<- | Hy]; [| apply D; [right |]; assumption].
    intro Q. apply Nx. rewrite <- Q. apply in_map. exact Hz.
Qed.

Notation stand_of := (stand_of r).

Lemma stand_among x : stands_well r x -> In (stand_of x) (stands r (who x)).
Proof.
  intros [S M]. destruct x as [a s]. unfold stands. apply in_map with (f := fun s => stand_of {| who := a; on := s |}).
  apply filter_In. auto.
Qed.

Lemma stands_meet xs : Forall (stands_well r) xs ->
  Forall2 (fun l x => In x l) (map (stands r) (animals_of xs)) (map stand_of xs).
Proof. induction 1; cbn [map animals_of]; constructor; auto. apply stand_among. assumption. Qed.

Lemma placed_stands xs : map placed (map stand_of xs) = xs.
Proof. rewrite map_map. cbn. apply map_id. Qed.

Definition check_of (p : position) : bool :=
  let ours := map stand_of (own p) in
  check_position r read ours (own p) (flat_map goals ours) (fold_left (fun n x => add_number n (as_own x)) ours 64%uint63)
    (map stand_of (other p)).

Lemma check_material_meets p : inside p ->
  check_material r read (animals_of (own p)) (animals_of (other p)) = true -> check_of p = true.
Proof.
  intros [_ _ _ _ W N] H. apply Forall_app in W. destruct W as [Wo Wt].
  unfold squares_of in N. rewrite map_app in N. apply nodup_app_iff in N. destruct N as (No & Nt & D).
  assert (E : forall xs, map on_stand (map stand_of xs) = map on xs) by (intro; rewrite map_map; reflexivity).
  unfold check_material in H.
  apply (placements_meet _ _ _ (map stand_of (own p))) in H.
  - apply (placements_meet _ _ _ (map stand_of (other p))) in H.
    + rewrite placed_stands in H. exact H.
    + apply stands_meet, Wt.
    + rewrite E. exact Nt.
    + intros x y Hx Hy Q. apply in_map_iff in Hx, Hy. destruct Hx as (x' & <- & Hx), Hy as (y' & <- & Hy).
      unfold on_stand in Q. cbn in Q. apply (D (on y')); [apply in_map, Hy | rewrite <- Q; apply in_map, Hx].
  - apply stands_meet, Wo.
  - rewrite E. exact No.
  - intros x y _ [].
Qed.

(* --- the places that the check reads ---------------------------------------------------------------------------------- *)

Lemma fold_numbers {A} (f : A -> int) xs : forall n,
  fold_left (fun n x => add_number n (f x)) xs n = fold_left add_number (map f xs) n.
Proof. induction xs as [| x xs IH]; intro n; cbn [fold_left map]; auto. Qed.

Lemma place_is p :
  fold_left (fun n x => add_number n (as_other x)) (map stand_of (other p))
    (fold_left (fun n x => add_number n (as_own x)) (map stand_of (own p)) 64%uint63) = place p.
Proof. unfold place. rewrite (fold_numbers as_other), (fold_numbers as_own), !map_map. reflexivity. Qed.

Lemma place_after_is p m : inside p -> In (mover m) (own p) ->
  place_after (goal_of m) (map stand_of (own p)) (map stand_of (other p)) = place (after p m).
Proof.
  intros I Hm. unfold place_after, place, after. cbn [own other made goal_of landing].
  assert (T : forall xs n, fold_left (fun n x => if move_lands_on m (placed x) then n else add_number n (turned_own x))
                             (map stand_of xs) n =
              fold_left add_number (map (piece_number 0) (map turn_piece (filter (fun x => negb (move_lands_on m x)) xs))) n).
  { induction xs as [| x xs IH]; intro n; cbn [map fold_left filter]; auto. cbn [placed Placements.stand_of turned_own].
    destruct (move_lands_on m x); cbn [negb map fold_left]; apply IH. }
  rewrite T. generalize (fold_left add_number (map (piece_number 0) (map turn_piece
    (filter (fun x => negb (move_lands_on m x)) (other p)))) 64%uint63). intro n.
  assert (U : forall y, In y (own p) -> on y = on (mover m) -> y = mover m).
  { intros y Hy E. destruct I as [_ _ _ _ _ N]. apply (same_square y (mover m) _ N); auto; apply in_or_app; auto. }
  revert n U. clear I Hm T. induction (own p) as [| x xs IH]; intros n U; cbn [map fold_left]; auto.
  cbn [placed Placements.stand_of turned_other].
  destruct (on x =? on (mover m))%uint63 eqn:E.
  - apply eqb_spec in E. rewrite (U x (or_introl eq_refl) E). apply IH. intros y Hy. apply U. right. exact Hy.
  - replace (moved m x) with x by (unfold moved; rewrite E; reflexivity). apply IH. intros y Hy. apply U. right. exact Hy.
Qed.

Lemma lost_after_is p m : inside p -> In m (moves r p) ->
  enters (goal_of m) || forallb (move_lands_on m) (other p) = lost (after p m).
Proof.
  intros I H. destruct (move_is r p m H) as (x & w & Em & Hx & Hw & G).
  assert (Q : filter (fun x => negb (move_lands_on m x)) (other p) = [] <-> forallb (move_lands_on m) (other p) = true).
  { induction (other p) as [| y ys IH]; cbn [filter forallb]; [tauto |].
    destruct (move_lands_on m y); cbn [negb andb]; [exact IH | split; discriminate]. }
  apply eq_true_iff_eq. rewrite orb_true_iff, <- Q. unfold lost, after, goal_of. cbn [enters own other].
  assert (V : existsb (fun x => on x =? own_den)%uint63 (map turn_piece (map (moved m) (own p))) = true <->
              (to (by_way m) =? other_den)%uint63 = true).
  { rewrite existsb_exists, eqb_spec. split.
    - intros (y & Hy & E). apply in_map_iff in Hy. destruct Hy as (z & <- & Hz). apply in_map_iff in Hz.
      destruct Hz as (u & <- & Hu). apply eqb_spec in E. cbn [turn_piece on] in E. rewrite moved_square in E.
      destruct I as [_ _ _ _ W _]. rewrite Forall_forall in W.
      assert (D : forall s, In s squares -> flip s = own_den -> s = other_den).
      { intros s Hs Es. apply flip_equal; [exact Hs | apply among_is; reflexivity | rewrite Es; reflexivity]. }
      destruct (on u =? on (mover m))%uint63.
      + apply D; [| exact E]. destruct (W x) as [Sx _]; [apply in_or_app; left; exact Hx |].
        rewrite Em. cbn [by_way]. apply (ways_inside r (who x) (on x) w Sx Hw).
      + destruct (W u) as [Su Mu]; [apply in_or_app; left; exact Hu |]. apply D in E; [| exact Su].
        unfold may_stand in Mu. rewrite E in Mu. discriminate.
    - intro E. exists (turn_piece (moved m x)). split; [apply in_map, in_map, Hx |].
      apply eqb_spec. cbn [turn_piece on]. rewrite moved_square. rewrite Em in *. cbn [mover by_way] in *.
      rewrite eqb_refl, E. reflexivity. }
  destruct (filter _ (other p)) as [| y ys]; cbn [map]; [tauto |]. rewrite V. split; [intros [A | A]; [exact A | discriminate] | auto].
Qed.

(* --- one position --------------------------------------------------------------------------------------------------------- *)

(* The value of a position in a table, and its depth. *)
Definition value (p : position) : Z := if lost p then -1 else to_Z (read (place p)) - 128.
Definition depth (p : position) : nat := if lost p then 0%nat else Z.to_nat (to_Z (read (place p + depth_stream)%uint63)).

Definition passes (p : position) : Prop := inside p -> check_of p = true.

Definition forces_of (v : int) : forcer :=
  (if v =? 128 then nobody else if v <? 128 then the_other else the_mover)%uint63.

Record cells (p : position) : Prop := {
  cells_value : -1 <= value p <= 1;
  cells_forced : forces_of (read (place p)) = if value p =? 0 then nobody else if value p <? 0 then the_other else the_mover;
  cells_depth : to_Z (read (place p + depth_stream)%uint63) < 65536;
  cells_draw : value p = 0 -> depth p = 0%nat;
  cells_scan :
    let v := read (place p) in let d := read (place p + depth_stream)%uint63 in
    match scan (look r read p (map stand_of (own p)) (map stand_of (other p)) (forces_of v) v d)
            (map goal_of (flat_map (moves_of_piece r) (own p))) skip with
    | hit => True
    | skip => value p = end_worth r p /\ depth p = 0%nat
    | _ => False
    end }.

Lemma forces_is v : 127 <= to_Z v <= 129 ->
  forces_of v = if to_Z v - 128 =? 0 then nobody else if to_Z v - 128 <? 0 then the_other else the_mover.
Proof.
  intro B. assert (C : v = 127%uint63 \/ v = 128%uint63 \/ v = 129%uint63).
  { destruct (Z.eq_dec (to_Z v) 127); [left | destruct (Z.eq_dec (to_Z v) 128); [right; left | right; right]];
      apply int_inj; [exact e | exact e | change (to_Z 129) with 129; lia]. }
  destruct C as [-> | [-> | ->]]; reflexivity.
Qed.

Lemma goals_are xs : flat_map goals (map stand_of xs) = map goal_of (flat_map (moves_of_piece r) xs).
Proof. induction xs as [| x xs IH]; cbn [map flat_map]; [reflexivity |]. rewrite map_app, IH. reflexivity. Qed.

Lemma cells_are p : passes p -> inside p -> cells p.
Proof.
  intros P I. pose proof (P I) as C. pose proof (inside_not_lost r most p I) as L.
  unfold check_of, check_position in C. cbv zeta in C. rewrite placed_stands, place_is in C.
  replace {| own := own p; other := other p |} with p in C by (destruct p; reflexivity).
  fold (forces_of (read (place p))) in C.
  apply andb_prop in C. destruct C as [C S]. apply andb_prop in C. destruct C as [C Z0]. apply andb_prop in C.
  destruct C as [C D]. apply andb_prop in C. destruct C as [V1 V2].
  apply leb_spec in V1, V2. apply ltb_spec in D. change (to_Z 127) with 127 in V1. change (to_Z 129) with 129 in V2.
  change (to_Z 65536) with 65536 in D.
  assert (Ev : value p = to_Z (read (place p)) - 128) by (unfold value; rewrite L; reflexivity).
  assert (Ed : depth p = Z.to_nat (to_Z (read (place p + depth_stream)%uint63))) by (unfold depth; rewrite L; reflexivity).
  assert (F : forces_of (read (place p)) = if value p =? 0 then nobody else if value p <? 0 then the_other else the_mover).
  { rewrite Ev. apply forces_is. lia. }
  constructor; auto.
  - lia.
  - intro Q. rewrite F, Q in Z0. apply int_zero in Z0. rewrite Ed, Z0. reflexivity.
  - cbv zeta. rewrite goals_are in S.
    destruct (scan _ _ _); auto; try discriminate.
    apply andb_prop in S. destruct S as [S1 S2]. apply eqb_spec in S1. apply int_zero in S2. split; [| lia].
    rewrite Ev. unfold end_worth, worth_without_moves in *. rewrite L, S1. destruct (stalemate_loss r); reflexivity.
Qed.

(* A move held against its position, and what all moves say together. *)
Definition no_better (p c : position) : Prop :=
  - value c <= value p /\
  (- value c = value p -> 
    (1 <= value p -> (depth p <= S (depth c))%nat) /\ (value p <= -1 -> (S (depth c) <= depth p)%nat)).
Definition as_good (p c : position) : Prop :=
  - value c = value p /\ (value p <> 0 -> depth p = S (depth c)).

Lemma look_is p m : (forall p, passes p) -> inside p -> In m (moves r p) ->
  let v := read (place p) in let d := read (place p + depth_stream)%uint63 in
  let j := look r read p (map stand_of (own p)) (map stand_of (other p)) (forces_of v) v d (goal_of m) in
  j <> skip /\ (j <> wrong -> no_better p (after p m)) /\ (j = hit -> as_good p (after p m)).
Proof.
  intros P I H v d j. destruct (move_is r p m H) as (x & w & Em & Hx & Hw & G).
  assert (Hm : In (mover m) (own p)) by (rewrite Em; exact Hx).
  pose proof (inside_not_lost r most p I) as L. pose proof (cells_are p (P p) I) as [V F D _ _].
  assert (Ev : value p = to_Z v - 128) by (unfold value; rewrite L; reflexivity).
  assert (Ed : depth p = Z.to_nat (to_Z d)) by (unfold depth; rewrite L; reflexivity).
  pose proof (to_Z_bounded d) as Bd. fold v in F. fold d in D.
  unfold j, look. cbn [made goal_of]. rewrite G, (lost_after_is p m I H). unfold no_better, as_good. set (c := after p m).
  destruct (lost c) eqn:Lc.
  - assert (Vc : value c = -1) by (unfold value; rewrite Lc; reflexivity).
    assert (Dc : depth c = 0%nat) by (unfold depth; rewrite Lc; reflexivity).
    rewrite Vc, Dc, F. destruct (Z.eqb_spec (value p) 0), (Z.ltb_spec (value p) 0);
      try (split; [discriminate | split; [congruence | discriminate]]).
    destruct (d =? 1)%uint63 eqn:E1; [| split; [discriminate | split; [congruence | discriminate]]].
    apply eqb_spec in E1. assert (depth p = 1%nat) by (rewrite Ed, E1; reflexivity).
    split; [discriminate |]. split; intros _; lia.
  - destruct (after_inside r most p m I H) as [Q | Ic]; [fold c in Q; congruence |]. fold c in Ic.
    rewrite (place_after_is p m I Hm). fold c. pose proof (cells_are c (P c) Ic) as [Vc _ Dc _ _].
    assert (Ec : value c = to_Z (read (place c)) - 128) by (unfold value; rewrite Lc; reflexivity).
    assert (Edc : depth c = Z.to_nat (to_Z (read (place c + depth_stream)%uint63))) by (unfold depth; rewrite Lc; reflexivity).
    pose proof (to_Z_bounded (read (place c + depth_stream)%uint63)) as Bc.
    split; [apply judge_not_skip |].
    pose proof (judge_is read (forces_of v) v d 0 0 (place c)) as J. cbv zeta in J. rewrite no_stream in J.
    replace (0 + depth_stream)%uint63 with depth_stream in J by reflexivity.
    specialize (J ltac:(lia) ltac:(lia) Dc). change (int_of 0) with 0%uint63 in J. cbn [Nat.eqb Z.of_nat] in J.
    destruct J as [Jf Jh]. rewrite F in Jf, Jh |- *.
    set (verdict := judge _ _ _ _ _ _ _) in *.
    assert (K : verdict <> wrong -> verdict = fine \/ verdict = hit).
    { assert (verdict <> skip) by apply judge_not_skip. destruct verdict; auto; congruence. }
    split.
    + intro Q. destruct (Jf (K Q)) as [A B]. split; [lia |]. intro Eq. destruct (B ltac:(lia)) as [B1 B2].
      destruct (Z.eqb_spec (value p) 0), (Z.ltb_spec (value p) 0); split; intros; try lia.
      * specialize (B2 eq_refl). lia.
      * specialize (B1 eq_refl). lia.
    + intro Q. destruct (Jh Q) as [A B]. split; [lia |]. intro N0.
      destruct (Z.eqb_spec (value p) 0), (Z.ltb_spec (value p) 0); try contradiction; specialize (B ltac:(discriminate)); lia.
Qed.

Lemma moves_hold p : (forall p, passes p) -> inside p ->
  (forall m, In m (moves r p) -> no_better p (after p m)) /\
  ((moves r p = [] /\ value p = end_worth r p /\ depth p = 0%nat) \/ exists m, In m (moves r p) /\ as_good p (after p m)).
Proof.
  intros P I. pose proof (cells_are p (P p) I) as [_ _ _ _ S]. cbv zeta in S.
  assert (M : forall m, In m (flat_map (moves_of_piece r) (own p)) -> goes r p m = true -> In m (moves r p)).
  { intros m Hm G. unfold moves. rewrite (inside_not_lost r most p I). apply filter_In. auto. }
  assert (M' : forall m, In m (moves r p) -> In m (flat_map (moves_of_piece r) (own p)) /\ goes r p m = true).
  { intros m Hm. unfold moves in Hm. rewrite (inside_not_lost r most p I) in Hm. apply filter_In, Hm. }
  set (f := look r read p (map stand_of (own p)) (map stand_of (other p)) (forces_of (read (place p))) (read (place p))
              (read (place p + depth_stream)%uint63)) in *.
  destruct (scan_is f (map goal_of (flat_map (moves_of_piece r) (own p))) skip ltac:(discriminate)) as (A & B & C & _).
  destruct (scan f _ skip) eqn:E; try contradiction.
  - destruct (C eq_refl) as [_ Cs]. assert (N : moves r p = []).
    { assert (N : forall m, ~ In m (moves r p)).
      { intros m Hm. destruct (look_is p m P I Hm) as [Ns _]. elim Ns. apply Cs, in_map. apply M', Hm. }
      destruct (moves r p) as [| m ms]; [reflexivity | elim (N m); left; reflexivity]. }
    split; [| left; tauto]. intros m Hm. rewrite N in Hm. contradiction.
  - split.
    + intros m Hm. destruct (look_is p m P I Hm) as (_ & Nb & _). apply Nb. apply A; [discriminate |].
      apply in_map. apply M', Hm.
    + right. destruct (B eq_refl) as [Q | (g & Hg & Q)]; [discriminate |]. apply in_map_iff in Hg. destruct Hg as (m & <- & Hm).
      assert (Hl : In m (moves r p)).
      { apply M; [exact Hm |]. unfold f, look in Q. cbn [made goal_of] in Q. destruct (goes r p m); [reflexivity | discriminate]. }
      exists m. split; [exact Hl |]. apply (look_is p m P I Hl). exact Q.
Qed.

(* --- the theorem ------------------------------------------------------------------------------------------------------------ *)

Definition all_materials : Prop := forall m, In m (materials most) -> check_material r read (fst m) (snd m) = true.

Lemma all_pass : all_materials -> forall p, passes p.
Proof.
  intros H p I. apply check_material_meets; [exact I |]. apply (H (animals_of (own p), animals_of (other p))).
  destruct I as [Io It [So St] F _ _]. unfold materials. apply filter_In. split; [apply in_prod; assumption |].
  cbn [fst snd]. unfold animals_of. rewrite !map_length.
  destruct (own p), (other p); try congruence. cbn [length] in *. apply andb_true_intro. split; [reflexivity |]. apply Nat.leb_le. lia.
Qed.

(* Positions in which play goes on, or the player to move has lost. *)
Definition reached (p : position) : Prop := lost p = true \/ inside p.

Theorem endings_hold : all_materials ->
  is_value (doushouqi r) inside value /\ are_distances (doushouqi r) inside value depth.
Proof.
  intro H. pose proof (all_pass H) as P.
  assert (Lost : forall p, lost p = true -> moves r p = [] /\ value p = -1 /\ depth p = 0%nat /\ end_worth r p = -1).
  { intros p L. unfold moves, value, depth, end_worth. rewrite L. auto. }
  assert (Closed : closed (doushouqi r) reached).
  { intros p m [L | I] Hm; cbn in Hm |- *.
    - rewrite (proj1 (Lost p L)) in Hm. contradiction.
    - destruct (after_inside r most p m I Hm); [left | right]; assumption. }
  assert (Bounded : forall p, reached p -> -1 <= value p <= 1).
  { intros p [L | I]; [rewrite (proj1 (proj2 (Lost p L))); lia | apply (cells_are p (P p) I)]. }
  assert (Moves : forall p, reached p -> (forall m, In m (moves r p) -> no_better p (after p m)) /\
    ((moves r p = [] /\ value p = end_worth r p /\ depth p = 0%nat) \/ exists m, In m (moves r p) /\ as_good p (after p m))).
  { intros p [L | I]; [| apply moves_hold; auto]. destruct (Lost p L) as (M & V & D & E). rewrite M, V, D, E.
    split; [intros m [] | left; auto]. }
  assert (Ended : forall p, reached p -> ended (doushouqi r) p -> value p = end_worth r p /\ depth p = 0%nat).
  { intros p Hp He. destruct (Moves p Hp) as [_ [(_ & V & D) | (m & Hm & _)]]; [auto | elim (He m Hm)]. }
  assert (Good : forall p, reached p -> ~ ended (doushouqi r) p -> exists m, In m (moves r p) /\ as_good p (after p m)).
  { intros p Hp N. destruct (Moves p Hp) as [_ [(M & _) | G]]; [| exact G]. elim N. intros m Hm. cbn in Hm.
    rewrite M in Hm. contradiction. }
  assert (Decided : forall p, reached p -> ended (doushouqi r) p \/ exists m, Value.legal (doushouqi r) p m).
  { intros p Hp. cbn. destruct (moves r p) as [| m ms] eqn:E; [left | right; exists m; left; reflexivity].
    intros m Hm. cbn in Hm. rewrite E in Hm. contradiction. }
  assert (Agrees : forall p, reached p -> agrees (doushouqi r) value value depth depth (fun _ => 0) p).
  { intros p Hp. destruct (Moves p Hp) as [N _]. constructor; cbn [doushouqi Value.legal Value.play Value.end_value].
    - intro He. destruct (Ended p Hp He). auto.
    - intros m g c Hm E. inversion E; subst g c. destruct (N m Hm). lia.
    - intros Ne V. destruct (Good p Hp Ne) as (m & Hm & [Q D]). exists m, 0%nat, (after p m).
      repeat (split; [auto; lia |]). right. specialize (D ltac:(lia)). lia.
    - intros Ne. destruct (Good p Hp Ne) as (m & Hm & [Q _]). exists m, 0%nat, (after p m).
      repeat (split; [auto |]). lia.
    - intros m c Hm E V M. inversion E; subst c. destruct (N m Hm) as [_ B]. destruct (B M) as [_ B2]. specialize (B2 ltac:(lia)). lia. }
  split.
  - intros p k Hp Hk.
    apply (local_forces (doushouqi r) value value depth depth (fun _ => 0)) with (inside := reached) (most := 1); auto; try lia.
    + intros q Hq. pose proof (Bounded q Hq). lia.
    + right. exact Hp.
  - intros p n Hp. apply (local_distances (doushouqi r) value depth reached); auto; [| right; exact Hp].
    intros q Hq. destruct (Moves q Hq) as [N _]. constructor; cbn [doushouqi Value.legal Value.play].
    + intro He. apply (Ended q Hq He).
    + intros m c Hm E V W. inversion E; subst c. destruct (N m Hm) as [A B]. pose proof (Bounded q Hq).
      pose proof (Bounded _ (Closed q m Hq Hm)) as Bc. cbn in Bc. destruct (B ltac:(lia)) as [B1 _]. apply B1. lia.
    + intros Ne V. destruct (Good q Hq Ne) as (m & Hm & [Q D]). exists m, (after q m). repeat (split; [auto |]).
      rewrite (D ltac:(lia)). lia.
Qed.
End Endings.
