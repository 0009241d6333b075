(* Facts about the rules of Dou Shou Qi: moves lead to positions in which all stands as before, or play is over. *)
From Coq Require Import Arith List ZArith Lia Bool Uint63.
Require Import Doushouqi Placements.
Import ListNotations.
Open Scope Z_scope.

(* --- squares: all are tried ------------------------------------------------------------------------------------ *)

Lemma all_squares (P : square -> bool) : forallb P squares = true -> forall s, In s squares -> P s = true.
Proof. intros H s Hs. exact (proj1 (forallb_forall P squares) H s Hs). Qed.

Lemma among_is s set : among s set = true <-> In s set.
Proof.
  unfold among. rewrite existsb_exists. split.
  - intros (t & Ht & E). apply eqb_spec in E. subst t. exact Ht.
  - intro H. exists s. split; [exact H | apply eqb_refl].
Qed.

Lemma flip_inside s : In s squares -> In (flip s) squares.
Proof.
  intro H. apply among_is. revert s H. apply (all_squares (fun s => among (flip s) squares)). vm_compute. reflexivity.
Qed.

Lemma flip_back s : In s squares -> flip (flip s) = s.
Proof.
  intro H. apply eqb_spec. revert s H. apply (all_squares (fun s => flip (flip s) =? s)%uint63). vm_compute. reflexivity.
Qed.

Lemma flip_equal s t : In s squares -> In t squares -> flip s = flip t -> s = t.
Proof. intros Hs Ht E. rewrite <- (flip_back s Hs), <- (flip_back t Ht), E. reflexivity. Qed.

Lemma neighbour_inside s d t : In s squares -> neighbour s d = Some t -> In t squares.
Proof.
  intros H E. apply among_is.
  assert (A : match neighbour s d with Some t => among t squares | None => true end = true); [| rewrite E in A; exact A].
  revert s H E. intros s H _. revert s H.
  apply (all_squares (fun s => match neighbour s d with Some t => among t squares | None => true end)).
  destruct d; vm_compute; reflexivity.
Qed.

Section Positions.
Variable r : rules.
Variable most : nat.

Lemma may_stand_flip a s : In s squares -> may_stand r a (flip s) = may_stand r a s.
Proof.
  intro H.
  assert (E : (flip s =? own_den)%uint63 = (s =? other_den)%uint63 /\ (flip s =? other_den)%uint63 = (s =? own_den)%uint63 /\
              among (flip s) west_lake || among (flip s) east_lake = among s west_lake || among s east_lake).
  { assert (A : (Bool.eqb (flip s =? own_den) (s =? other_den) && Bool.eqb (flip s =? other_den) (s =? own_den) &&
                 Bool.eqb (among (flip s) west_lake || among (flip s) east_lake) (among s west_lake || among s east_lake))%uint63
                = true).
    { revert s H. apply (all_squares (fun s => Bool.eqb (flip s =? own_den) (s =? other_den) &&
        Bool.eqb (flip s =? other_den) (s =? own_den) &&
        Bool.eqb (among (flip s) west_lake || among (flip s) east_lake) (among s west_lake || among s east_lake))%uint63).
      vm_compute. reflexivity. }
    apply andb_prop in A. destruct A as [A A3]. apply andb_prop in A. destruct A as [A1 A2].
    apply eqb_prop in A1, A2, A3. auto. }
  destruct E as (E1 & E2 & E3). unfold may_stand, wet. rewrite E1, E2. destruct (lakes r); rewrite ?E3;
    destruct (s =? own_den)%uint63, (s =? other_den)%uint63; reflexivity.
Qed.

Lemma cross_inside fuel : forall s d crossed over, In s squares -> In over (cross r fuel s d crossed) -> In (snd over) squares.
Proof.
  induction fuel as [| fuel IH]; intros s d crossed over Hs H; cbn [cross] in H; [contradiction |].
  destruct (wet r s); [| destruct H as [<- | []]; exact Hs].
  destruct (neighbour s d) as [t |] eqn:E; [| contradiction].
  exact (IH t d _ over (neighbour_inside s d t Hs E) H).
Qed.

Lemma ways_inside a s w : In s squares -> In w (ways r a s) ->
  In (to w) squares /\ (may_stand r a (to w) = true \/ to w = other_den).
Proof.
  intros Hs H. apply filter_In in H. destruct H as [H M]. split.
  - apply in_flat_map in H. destruct H as (d & _ & H). destruct (neighbour s d) as [t |] eqn:E; [| contradiction].
    pose proof (neighbour_inside s d t Hs E) as Ht. apply in_app_or in H. destruct H as [H | H].
    + unfold step in H. destruct (same a rat); [destruct H as [<- | []]; exact Ht |].
      destruct (wet r t); [destruct (wet r s); [contradiction |] |]; destruct H as [<- | []]; exact Ht.
    + unfold jump in H. destruct (_ && _ && _) in H; [| contradiction]. apply in_map_iff in H.
      destruct H as (over & <- & H). cbn [to]. exact (cross_inside 4 t d [] over Ht H).
  - apply orb_prop in M. destruct M as [M | M]; [left; exact M | right; apply eqb_spec; exact M].
Qed.

(* --- positions ---------------------------------------------------------------------------------------------------- *)

Definition animals_of (xs : list piece) : list animal := map who xs.
Definition squares_of (xs : list piece) : list square := map on xs.
Definition stands_well (x : piece) : Prop := In (on x) squares /\ may_stand r (who x) (on x) = true.

(* Positions with so many pieces or fewer in which play goes on: each side has a piece, each animal once at most, in
   the order of their list; pieces stand where they may, no two on a square. *)
Record inside (p : position) : Prop := {
  inside_own : In (animals_of (own p)) (sublists animals);
  inside_other : In (animals_of (other p)) (sublists animals);
  inside_some : own p <> [] /\ other p <> [];
  inside_few : (length (own p) + length (other p) <= most)%nat;
  inside_well : Forall stands_well (own p ++ other p);
  inside_apart : NoDup (squares_of (own p ++ other p)) }.

Lemma sublists_nil l : In [] (sublists l).
Proof. induction l; cbn [sublists]; [left; reflexivity | apply in_or_app; right; assumption]. Qed.

Lemma sublists_filter f l : forall xs : list piece, In (map who xs) (sublists l) -> In (map who (filter f xs)) (sublists l).
Proof.
  induction l as [| a l IH]; intros xs H; cbn [sublists] in *.
  - destruct xs; [left; reflexivity | destruct H as [H | []]; discriminate].
  - apply in_app_or in H. destruct H as [H | H]; [| apply in_or_app; right; auto].
    apply in_map_iff in H. destruct H as (as_ & E & H). destruct xs as [| x xs]; [discriminate |]. inversion E; subst.
    cbn [filter]. apply in_or_app. destruct (f x); [left | right; auto].
    cbn [map]. apply in_map. auto.
Qed.

Lemma inside_not_lost p : inside p -> lost p = false.
Proof.
  intros [_ _ [S _] _ W _]. unfold lost. destruct (own p) as [| x xs]; [congruence |].
  destruct (existsb _ (other p)) eqn:E; [| reflexivity]. apply existsb_exists in E. destruct E as (y & Hy & D).
  rewrite Forall_forall in W. destruct (W y) as [_ M]; [apply in_or_app; right; exact Hy |].
  unfold may_stand in M. rewrite D in M. discriminate.
Qed.

(* What a move of a position is. *)
Lemma move_is p m : In m (moves r p) -> exists x w, m = {| mover := x; by_way := w |} /\ In x (own p) /\
  In w (ways r (who x) (on x)) /\ goes r p m = true.
Proof.
  unfold moves. destruct (lost p); [contradiction |]. intro H. apply filter_In in H. destruct H as [H G].
  apply in_flat_map in H. destruct H as (x & Hx & H). apply in_map_iff in H. destruct H as (w & <- & Hw).
  exists x, w. auto.
Qed.

Lemma goes_is p m : goes r p m = true ->
  (forall x, In x (own p) -> on x <> to (by_way m)) /\
  (forall x, In x (other p) -> move_lands_on m x = false \/ captures r m x = true).
Proof.
  unfold goes. intro H. apply andb_prop in H. destruct H as [A B]. rewrite forallb_forall in A, B. split; intros x Hx.
  - specialize (A x Hx). apply andb_prop in A. destruct A as [A _]. apply negb_true_iff in A. intro E.
    unfold move_lands_on in A. rewrite E, eqb_refl in A. discriminate.
  - specialize (B x Hx). apply andb_prop in B. destruct B as [_ B]. apply orb_prop in B. rewrite negb_true_iff in B. exact B.
Qed.

Lemma squares_turn xs : squares_of (map turn_piece xs) = map flip (squares_of xs).
Proof. unfold squares_of. rewrite !map_map. reflexivity. Qed.

Lemma nodup_flip xs : (forall s, In s xs -> In s squares) -> NoDup xs -> NoDup (map flip xs).
Proof.
  intros H N. induction N as [| s xs Hs N IH]; [constructor |]. cbn [map]. constructor.
  - intro Q. apply in_map_iff in Q. destruct Q as (t & E & Ht). apply Hs.
    rewrite <- (flip_equal t s); [exact Ht | apply H; right; exact Ht | apply H; left; reflexivity | exact E].
  - apply IH. intros t Ht. apply H. right. exact Ht.
Qed.

(* The squares after a move: one is left, and one is taken that was free or is given up. *)
Lemma moved_square m x : on (moved m x) = if (on x =? on (mover m))%uint63 then to (by_way m) else on x.
Proof. unfold moved. destruct (on x =? on (mover m))%uint63; reflexivity. Qed.
Lemma moved_who m x : who (moved m x) = who x.
Proof. unfold moved. destruct (on x =? on (mover m))%uint63; reflexivity. Qed.

Lemma nodup_moved m xs : NoDup (squares_of xs) -> (forall x, In x xs -> on x <> to (by_way m)) ->
  NoDup (squares_of (map (moved m) xs)).
Proof.
  unfold squares_of. rewrite map_map. induction xs as [| x xs IH]; cbn [map]; intros N H; [constructor |].
  inversion N as [| ? ? Hx N' ]; subst. constructor; [| apply IH; auto; intros; apply H; right; auto].
  intro Q. apply in_map_iff in Q. destruct Q as (y & E & Hy). rewrite !moved_square in E.
  destruct (on x =? on (mover m))%uint63 eqn:Ex, (on y =? on (mover m))%uint63 eqn:Ey.
  - apply eqb_spec in Ex, Ey. apply Hx. rewrite Ex, <- Ey. apply in_map. exact Hy.
  - apply (H y); [right |]; auto.
  - apply (H x); [left; reflexivity | auto].
  - apply Hx. rewrite <- E. apply in_map. exact Hy.
Qed.

Lemma nodup_app_iff {A} (l m : list A) : NoDup (l ++ m) <-> NoDup l /\ NoDup m /\ forall x, In x l -> ~ In x m.
Proof.
  induction l as [| a l IH]; cbn [app]; [split; [intro; repeat split; auto; constructor | intros (_ & H & _); exact H] |].
  split.
  - intro H. inversion H as [| ? ? Ha N]; subst. apply IH in N. destruct N as (N1 & N2 & N3). repeat split; auto.
    + constructor; auto. intro Q. apply Ha. apply in_or_app. left. exact Q.
    + intros x [<- | Hx]; [intro Q; apply Ha; apply in_or_app; right; exact Q | auto].
  - intros (N1 & N2 & N3). inversion N1 as [| ? ? Ha N]; subst. constructor.
    + intro Q. apply in_app_or in Q. destruct Q as [Q | Q]; [auto | apply (N3 a); [left; reflexivity | exact Q]].
    + apply IH. repeat split; auto. intros x Hx. apply N3. right. exact Hx.
Qed.

Lemma few_left (f : piece -> bool) xs : (length (filter f xs) <= length xs)%nat.
Proof. induction xs as [| x xs IH]; cbn [filter]; [auto |]. destruct (f x); cbn [length]; lia. Qed.

Lemma same_square x y xs : NoDup (squares_of xs) -> In x xs -> In y xs -> on x = on y -> x = y.
Proof.
  unfold squares_of. induction xs as [| z xs IH]; cbn [map]; intros N Hx Hy E; [contradiction |].
  inversion N as [| ? ? Hz N']; subst. destruct Hx as [<- | Hx], Hy as [<- | Hy]; auto;
    elim Hz; [rewrite E | rewrite <- E]; apply in_map; assumption.
Qed.

Lemma nodup_map_filter (f : piece -> bool) xs : NoDup (squares_of xs) -> NoDup (squares_of (filter f xs)).
Proof.
  unfold squares_of. induction xs as [| x xs IH]; cbn [map filter]; intro N; [constructor |]. inversion N as [| ? ? Hx N']; subst.
  destruct (f x); [| auto]. cbn [map]. constructor; [| auto]. intro Q. apply Hx. apply in_map_iff in Q.
  destruct Q as (y & E & Hy). apply filter_In in Hy. rewrite <- E. apply in_map. tauto.
Qed.

Lemma after_inside p m : inside p -> In m (moves r p) -> lost (after p m) = true \/ inside (after p m).
Proof.
  intros I H. destruct (lost (after p m)) eqn:L; [left; reflexivity | right].
  destruct (move_is p m H) as (x & w & Em & Hx & Hw & G). destruct (goes_is p m G) as [Gown _].
  destruct I as [Io It [So St] F W N]. rewrite Forall_forall in W.
  assert (Wx : stands_well x) by (apply W, in_or_app; left; exact Hx). destruct Wx as [Sx _].
  destruct (ways_inside (who x) (on x) w Sx Hw) as [Tw Mw].
  unfold lost in L. unfold after in *. cbn [own other] in *.
  set (left_ := filter (fun x => negb (move_lands_on m x)) (other p)) in *.
  assert (Dw : to w <> other_den).
  { intro D. destruct (map turn_piece left_); [discriminate |]. rewrite <- not_true_iff_false in L. apply L.
    apply existsb_exists. exists (turn_piece (moved m x)). split; [apply in_map, in_map, Hx |].
    unfold turn_piece. cbn [on]. rewrite moved_square. subst m. cbn [mover by_way]. rewrite eqb_refl, D. reflexivity. }
  assert (Wl : forall y, In y left_ -> stands_well y).
  { intros y Hy. apply filter_In in Hy. apply W, in_or_app. tauto. }
  assert (Wm : forall y, In y (own p) -> stands_well (moved m y)).
  { intros y Hy. unfold moved. destruct (on y =? on (mover m))%uint63 eqn:E; [| apply W, in_or_app; auto].
    apply eqb_spec in E. assert (Q : y = x).
    { subst m. cbn [mover] in E. apply (same_square y x (own p ++ other p) N); auto; apply in_or_app; auto. }
    subst y m. cbn [by_way]. split; [exact Tw |]. cbn [who on]. tauto. }
  assert (Wt : forall y, stands_well y -> stands_well (turn_piece y)).
  { intros y [A B]. split; cbn [turn_piece who on]; [apply flip_inside, A | rewrite may_stand_flip; auto]. }
  constructor; cbn [own other].
  - unfold animals_of. rewrite map_map. cbn [turn_piece who]. change (fun x0 => who x0) with who. apply sublists_filter. exact It.
  - unfold animals_of in *. rewrite !map_map. erewrite map_ext; [exact Io |]. intro y. cbn [turn_piece who]. apply moved_who.
  - split; intro Q; apply map_eq_nil in Q.
    + rewrite Q in L. discriminate.
    + apply map_eq_nil in Q. contradiction.
  - rewrite !map_length. assert (length left_ <= length (other p))%nat by apply few_left. lia.
  - apply Forall_forall. intros y Hy. apply in_app_or in Hy. destruct Hy as [Hy | Hy]; apply in_map_iff in Hy; destruct Hy as (z & <- & Hz).
    + auto.
    + apply in_map_iff in Hz. destruct Hz as (u & <- & Hu). auto.
  - unfold squares_of. rewrite map_app. fold (squares_of (map turn_piece left_)). fold (squares_of (map turn_piece (map (moved m) (own p)))).
    rewrite !squares_turn, <- map_app. apply nodup_flip.
    + intros s Hs. apply in_app_or in Hs. destruct Hs as [Hs | Hs]; apply in_map_iff in Hs; destruct Hs as (y & <- & Hy).
      * apply Wl, Hy.
      * apply in_map_iff in Hy. destruct Hy as (u & <- & Hu). apply Wm, Hu.
    + unfold squares_of in N. rewrite map_app in N. apply nodup_app_iff in N. destruct N as (N1 & N2 & N3).
      apply nodup_app_iff. repeat split.
      * apply nodup_map_filter. exact N2.
      * apply nodup_moved; auto.
      * intros s Hs Q. apply in_map_iff in Hs. destruct Hs as (y & <- & Hy). apply filter_In in Hy. destruct Hy as [Hy Ly].
        unfold squares_of in Q. rewrite map_map in Q. apply in_map_iff in Q. destruct Q as (z & E & Hz). rewrite moved_square in E.
        apply negb_true_iff in Ly. unfold move_lands_on in Ly.
        destruct (on z =? on (mover m))%uint63.
        { rewrite <- E, eqb_refl in Ly. discriminate. }
        apply (N3 (on z)); [apply in_map, Hz | rewrite E; apply in_map, Hy].
Qed.
End Positions.
