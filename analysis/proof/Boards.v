(* Facts about the rules: a move seen as two rows, seeds are kept, and moves lead to boards that can come up. *)
From Coq Require Import Arith List ZArith Lia Bool.
Require Import Rules.
Import ListNotations.

(* --- boards as two rows ------------------------------------------------------------------------------- *)

Lemma length_put i x b : length (put i x b) = length b.
Proof. revert i; induction b; destruct i; simpl; auto. Qed.

Lemma nth_put i x b j : nth j (put i x b) 0 = if (j =? i) && (j <? length b) then x else nth j b 0.
Proof.
  revert i j; induction b as [| y b IH]; intros i j; simpl.
  - rewrite andb_false_r; destruct i; reflexivity.
  - destruct i, j; simpl; auto. apply IH.
Qed.

Lemma put_app_left i x a o : i < length a -> put i x (a ++ o) = put i x a ++ o.
Proof. revert i; induction a; destruct i; simpl; intros; try lia; auto. rewrite IHa; auto; lia. Qed.

Lemma put_app_right i x a o : put (length a + i) x (a ++ o) = a ++ put i x o.
Proof. induction a; simpl; auto. rewrite IHa; reflexivity. Qed.

Fixpoint add (a b : list nat) : list nat :=
  match a, b with
  | x :: a', y :: b' => x + y :: add a' b'
  | _, _ => []
  end.

Lemma length_add a b : length a = length b -> length (add a b) = length a.
Proof. revert b; induction a; destruct b; simpl; intros; try lia. rewrite IHa; lia. Qed.

Lemma nth_add a b i : length a = length b -> nth i (add a b) 0 = nth i a 0 + nth i b 0.
Proof.
  revert b i; induction a; destruct b; simpl; intros i H; try lia; destruct i; auto; try lia.
Qed.

Lemma add_zeros b : add b (repeat 0 (length b)) = b.
Proof. induction b; simpl; auto. rewrite IHb, Nat.add_0_r; reflexivity. Qed.

Lemma add_put i b z : length b = length z ->
  put i (nth i (add b z) 0 + 1) (add b z) = add b (put i (nth i z 0 + 1) z).
Proof.
  revert i z; induction b; destruct z, i; simpl; intros; try lia; auto.
  - f_equal; lia.
  - f_equal; apply IHb; lia.
Qed.

Lemma add_app a a' b b' : length a = length b -> add (a ++ a') (b ++ b') = add a b ++ add a' b'.
Proof. revert b; induction a; destruct b; simpl; intros; try lia; auto. f_equal; apply IHa; lia. Qed.

Lemma list_sum_add a b : length a = length b -> list_sum (add a b) = list_sum a + list_sum b.
Proof. revert b; induction a; destruct b; simpl; intros; try lia. rewrite IHa; lia. Qed.

Lemma list_sum_put i x b : i < length b -> list_sum (put i x b) + nth i b 0 = list_sum b + x.
Proof. revert i; induction b; destruct i; simpl; intros; try lia. pose proof (IHb i ltac:(lia)); lia. Qed.

Lemma nth_le_sum i b : nth i b 0 <= list_sum b.
Proof. revert i; induction b; destruct i; simpl; try lia. pose proof (IHb i); lia. Qed.

Lemma board_rows b : is_board b -> b = own b ++ other b /\ length (own b) = 6 /\ length (other b) = 6.
Proof.
  unfold is_board, own, other; intro H. split; [symmetry; apply firstn_skipn |].
  rewrite firstn_length, skipn_length; lia.
Qed.

Lemma seeds_rows b : seeds b = list_sum (own b) + list_sum (other b).
Proof. unfold seeds, own, other. rewrite <- list_sum_app, firstn_skipn. reflexivity. Qed.

Lemma own_app a o : length a = 6 -> own (a ++ o) = a.
Proof. intro H. unfold own. rewrite firstn_app, H, Nat.sub_diag, app_nil_r, <- H. apply firstn_all. Qed.
Lemma other_app a o : length a = 6 -> other (a ++ o) = o.
Proof. intro H. unfold other. rewrite skipn_app, H, Nat.sub_diag, <- H, skipn_all. reflexivity. Qed.

(* --- sowing adds the same seeds to every board --------------------------------------------------------- *)

Definition zeros := repeat 0 12.
Definition sown_last (p hand : nat) : nat := fst (sow p p hand zeros).
Definition sown (p hand : nat) : list nat := snd (sow p p hand zeros).

Lemma sow_add origin hand : forall at_ b z, length b = length z ->
  sow origin at_ hand (add b z) =
  (fst (sow origin at_ hand z), add b (snd (sow origin at_ hand z))).
Proof.
  induction hand; intros at_ b z H; simpl; auto.
  unfold pit. rewrite add_put by auto. apply IHhand. rewrite length_put; auto.
Qed.

Lemma sow_from p hand b : is_board b -> sow p p hand b = (sown_last p hand, add b (sown p hand)).
Proof.
  intro H. unfold sown_last, sown. rewrite <- sow_add by (rewrite H; reflexivity).
  f_equal. rewrite <- (add_zeros b) at 1. unfold zeros. rewrite H. reflexivity.
Qed.

Lemma next_lt origin at_ : next origin at_ < 12.
Proof.
  unfold next. destruct (Nat.eqb_spec ((at_ + 1) mod 12) origin); apply Nat.mod_upper_bound; lia.
Qed.

Lemma next_other origin at_ : next origin at_ <> origin.
Proof.
  unfold next. pose proof (Nat.mod_upper_bound (at_ + 1) 12 ltac:(lia)) as H.
  remember ((at_ + 1) mod 12) as i eqn:Ei; clear Ei. destruct (Nat.eqb_spec i origin); auto.
  subst origin. intro E. do 12 (destruct i as [| i]; [discriminate |]). lia.
Qed.

Lemma sow_facts origin hand : forall at_ b, is_board b ->
  length (snd (sow origin at_ hand b)) = 12 /\
  list_sum (snd (sow origin at_ hand b)) = list_sum b + hand /\
  nth origin (snd (sow origin at_ hand b)) 0 = nth origin b 0.
Proof.
  induction hand; intros at_ b H; cbn [sow]; [cbn [snd]; repeat split; auto |].
  set (i := next origin at_). set (c := put i (pit b i + 1) b).
  assert (Hc : is_board c) by (unfold c, is_board; rewrite length_put; auto).
  destruct (IHhand i c Hc) as (L & S & N). repeat split; auto.
  - rewrite S. pose proof (list_sum_put i (pit b i + 1) b) as P.
    unfold is_board in H. rewrite H in P. specialize (P (next_lt origin at_)). subst c.
    assert (Hp : pit b i = nth i b 0) by reflexivity. lia.
  - rewrite N. unfold c. rewrite nth_put. pose proof (next_other origin at_) as Ne. fold i in Ne.
    destruct (Nat.eqb_spec origin i); [congruence | reflexivity].
Qed.

Lemma zeros_board : is_board zeros.
Proof. reflexivity. Qed.

Lemma length_sown p hand : length (sown p hand) = 12.
Proof. apply (sow_facts p hand p zeros zeros_board). Qed.
Lemma sum_sown p hand : list_sum (sown p hand) = hand.
Proof. destruct (sow_facts p hand p zeros zeros_board) as (_ & H & _). exact H. Qed.
Lemma sown_origin p hand : nth p (sown p hand) 0 = 0.
Proof.
  destruct (sow_facts p hand p zeros zeros_board) as (_ & _ & H). unfold sown. rewrite H.
  unfold zeros. apply nth_repeat.
Qed.

(* --- a move by rows ------------------------------------------------------------------------------------ *)

Fixpoint capture_row (n : nat) (o : list nat) : nat * list nat :=
  match n with
  | 0 => (0, o)
  | S m =>
      let x := nth m o 0 in
      if (x =? 2) || (x =? 3)
      then let (more, left) := capture_row m (put m 0 o) in (x + more, left)
      else (0, o)
  end.

Lemma capture_rows n : forall a o, length a = 6 ->
  capture n (a ++ o) = (fst (capture_row n o), a ++ snd (capture_row n o)).
Proof.
  induction n; intros a o H; cbn [capture capture_row]; [reflexivity |].
  unfold pit. rewrite app_nth2 by lia. rewrite H.
  replace (6 + n - 6) with n by lia.
  destruct ((nth n o 0 =? 2) || (nth n o 0 =? 3)); [| reflexivity].
  rewrite <- H at 1. rewrite put_app_right, IHn by auto.
  destruct (capture_row n (put n 0 o)); reflexivity.
Qed.

Lemma capture_row_facts n : forall o, n <= length o ->
  length (snd (capture_row n o)) = length o /\
  fst (capture_row n o) + list_sum (snd (capture_row n o)) = list_sum o.
Proof.
  induction n; intros o H; cbn [capture_row]; [simpl; auto |].
  destruct ((nth n o 0 =? 2) || (nth n o 0 =? 3)); [| simpl; auto].
  destruct (IHn (put n 0 o)) as [L S]; [rewrite length_put; lia |].
  destruct (capture_row n (put n 0 o)) as [g l]; cbn [fst snd] in *.
  rewrite length_put in L. pose proof (list_sum_put n 0 o ltac:(lia)). split; [auto | lia].
Qed.

(* Rows after a move: what is captured, the opponent's row, the own row. *)
Definition row_after (a : list nat) (p : nat) : list nat :=
  add (put p 0 a) (firstn 6 (sown p (nth p a 0))).
Definition row_sown (a o : list nat) (p : nat) : list nat := add o (skipn 6 (sown p (nth p a 0))).
Definition taken (r : rules) (a o : list nat) (p : nat) : nat * list nat :=
  let s := row_sown a o p in
  let (g, left) := capture_row (sown_last p (nth p a 0) - 5) s in
  if keeps r && (0 <? g) && (list_sum left =? 0) then (0, s) else (g, left).

Lemma sow_last_lt origin hand : forall at_ b, at_ < 12 -> fst (sow origin at_ hand b) < 12.
Proof. induction hand; intros; simpl; auto. apply IHhand, next_lt. Qed.

Lemma length_row_after a p : length a = 6 -> length (row_after a p) = 6.
Proof.
  intro H. unfold row_after. rewrite length_add; rewrite length_put; auto.
  rewrite firstn_length, length_sown; lia.
Qed.
Lemma length_row_sown a o p : length o = 6 -> length (row_sown a o p) = 6.
Proof. intro H. unfold row_sown. rewrite length_add; auto. rewrite skipn_length, length_sown; lia. Qed.

Lemma sown_last_le p hand : p < 6 -> sown_last p hand - 5 <= 6.
Proof. intro H. pose proof (sow_last_lt p hand p zeros ltac:(lia)). unfold sown_last. lia. Qed.

Lemma taken_facts r a o p : length a = 6 -> length o = 6 -> p < 6 ->
  length (snd (taken r a o p)) = 6 /\
  fst (taken r a o p) + list_sum (snd (taken r a o p)) = list_sum (row_sown a o p).
Proof.
  intros Ha Ho Hp. unfold taken.
  pose proof (length_row_sown a o p Ho) as L.
  destruct (capture_row_facts (sown_last p (nth p a 0) - 5) (row_sown a o p)) as [L' S'].
  { rewrite L. apply sown_last_le; auto. }
  destruct (capture_row _ (row_sown a o p)) as [g l]; cbn [fst snd] in *.
  destruct (keeps r && (0 <? g) && (list_sum l =? 0)); cbn [fst snd]; split; lia.
Qed.

Lemma play_rows r a o p : length a = 6 -> length o = 6 -> p < 6 ->
  play r (a ++ o) p = (fst (taken r a o p), snd (taken r a o p) ++ row_after a p).
Proof.
  intros Ha Ho Hp. unfold play, pit. rewrite app_nth1 by lia.
  rewrite put_app_left by lia. set (h := nth p a 0).
  rewrite sow_from by (unfold is_board; rewrite app_length, length_put; lia).
  assert (S : add (put p 0 a ++ o) (sown p h) = row_after a p ++ row_sown a o p).
  { rewrite <- (firstn_skipn 6 (sown p h)).
    rewrite add_app by (rewrite length_put, firstn_length, length_sown; lia). reflexivity. }
  rewrite S.
  rewrite capture_rows by (apply length_row_after; auto).
  unfold taken. fold h. destruct (capture_row (sown_last p h - 5) (row_sown a o p)) as [g l] eqn:E.
  cbn [fst snd]. rewrite other_app by (apply length_row_after; auto).
  unfold turn. rewrite !own_app, !other_app by (apply length_row_after; auto).
  destruct (keeps r && (0 <? g) && (list_sum l =? 0)); cbn [fst snd]; reflexivity.
Qed.

Lemma sum_row_after a o p : length a = 6 -> length o = 6 -> p < 6 ->
  list_sum (row_after a p) + list_sum (row_sown a o p) = list_sum a + list_sum o.
Proof.
  intros Ha Ho Hp. set (h := nth p a 0). unfold row_after, row_sown. fold h.
  rewrite !list_sum_add.
  2: rewrite skipn_length, length_sown; lia.
  2: rewrite length_put, firstn_length, length_sown; lia.
  pose proof (list_sum_put p 0 a ltac:(lia)).
  pose proof (sum_sown p h) as S. rewrite <- (firstn_skipn 6 (sown p h)), list_sum_app in S.
  unfold h in *. lia.
Qed.

(* --- what every move keeps ----------------------------------------------------------------------------- *)

Theorem play_facts r b p g c : is_board b -> p < 6 -> play r b p = (g, c) ->
  is_board c /\ g + seeds c = seeds b /\ reachable c.
Proof.
  intros Hb Hp E. destruct (board_rows b Hb) as (R & Ha & Ho).
  rewrite R in E. rewrite play_rows in E by auto. inversion E; subst g c; clear E.
  destruct (taken_facts r (own b) (other b) p Ha Ho Hp) as [L S].
  pose proof (length_row_after (own b) p Ha) as La. repeat split.
  - unfold is_board. rewrite app_length. lia.
  - rewrite (seeds_rows b). unfold seeds. rewrite list_sum_app.
    pose proof (sum_row_after (own b) (other b) p Ha Ho Hp). lia.
  - unfold reachable. rewrite other_app by auto.
    replace 0 with (nth p (row_after (own b) p) 0); [apply nth_In; lia |].
    unfold row_after. rewrite nth_add by (rewrite length_put, firstn_length, length_sown; lia).
    rewrite nth_put, Nat.eqb_refl. destruct (Nat.ltb_spec p (length (own b))); [| lia].
    cbn [andb plus]. pose proof (sown_origin p (nth p (own b) 0)) as Z.
    rewrite <- (firstn_skipn 6 (sown p (nth p (own b) 0))) in Z.
    rewrite app_nth1 in Z; auto. rewrite firstn_length, length_sown; lia.
Qed.

(* --- legal moves, as a program that can be held against other ones --------------------------------------- *)

Definition can_sow_b (b : board) (p : nat) : bool := (p <? 6) && (0 <? pit b p).
Definition feeds_b (r : rules) (b : board) (p : nat) : bool := 0 <? list_sum (own (snd (play r b p))).
Definition starves (r : rules) (b : board) : bool :=
  forallb (fun q => negb (can_sow_b b q && feeds_b r b q)) (seq 0 6).
Definition legal_b (r : rules) (b : board) (p : nat) : bool :=
  can_sow_b b p && (feeds_b r b p || match r with awari => starves r b | abapa => false end).

Lemma can_sow_is b p : can_sow_b b p = true <-> can_sow b p.
Proof. unfold can_sow_b, can_sow. rewrite andb_true_iff, !Nat.ltb_lt. tauto. Qed.

Theorem legal_is r b p : legal_b r b p = true <-> legal r b p.
Proof.
  assert (F : forall q, feeds_b r b q = true <-> feeds r b q) by (intro; apply Nat.ltb_lt).
  assert (S : starves r b = true <-> forall q, can_sow b q -> ~ feeds r b q).
  { unfold starves. rewrite forallb_forall. split; intros H q.
    - intros Hq Hf. specialize (H q ltac:(apply in_seq; destruct Hq; lia)).
      rewrite (proj2 (can_sow_is b q) Hq), (proj2 (F q) Hf) in H. discriminate.
    - intros _. apply negb_true_iff. apply not_true_is_false. rewrite andb_true_iff, can_sow_is, F.
      intros [Hq Hf]. exact (H q Hq Hf). }
  unfold legal_b, legal. rewrite andb_true_iff, orb_true_iff, can_sow_is, F.
  destruct r; [rewrite S | split]; intuition (try congruence; auto).
Qed.

Lemma some_move r b : ended r b \/ exists p, legal r b p.
Proof.
  destruct (existsb (legal_b r b) (seq 0 6)) eqn:E.
  - right. apply existsb_exists in E. destruct E as (p & _ & Hp). exists p. apply legal_is, Hp.
  - left. intros p Hp. apply legal_is in Hp as Lb.
    assert (T : existsb (legal_b r b) (seq 0 6) = true); [| congruence].
    apply existsb_exists. exists p. split; [| exact Lb]. apply in_seq. destruct Hp as [[Hp _] _]. lia.
Qed.

Definition moves (r : rules) (b : board) : list (nat * (nat * board)) :=
  map (fun p => (p, play r b p)) (filter (legal_b r b) (seq 0 6)).
