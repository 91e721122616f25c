import { type Kysely, sql } from 'kysely'

/** Second factors, passkeys, and changes to a person's means of sign-in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Counts password changes, so that work started with an older password can be invalidated.
    alter table person add column password_version int not null default 0;

    -- Time of the last verification mail, which delays the next one.
    alter table email add column verification_sent_at timestamptz;
    create index email_person on email (person_id);

    -- seed is active; pending_seed was shown, but no code has confirmed it. Both are encrypted. last_step is the time
    -- step of the last accepted code: each step is accepted once.
    create table otp (
      person_id uuid primary key references person on delete cascade,
      seed bytea,
      last_step bigint,
      enabled_at timestamptz,
      pending_seed bytea,
      pending_at timestamptz,
      check ((seed is null) = (enabled_at is null)),
      check ((pending_seed is null) = (pending_at is null))
    );

    -- hash is SHA-256 of salt and code. Codes of a pending seed become valid on its activation.
    create table recovery_code (
      id uuid primary key,
      person_id uuid not null references otp on delete cascade,
      salt bytea not null,
      hash bytea not null,
      is_pending boolean not null,
      used_at timestamptz
    );
    create index recovery_code_person on recovery_code (person_id);

    -- Stands for a correct password until the second factor arrives.
    create table otp_voucher (
      token_hash bytea primary key,
      person_id uuid not null references person on delete cascade,
      password_version int not null,
      tries int not null default 0,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      used_at timestamptz
    );
    create index otp_voucher_person on otp_voucher (person_id);
    create index otp_voucher_expires_at on otp_voucher (expires_at);

    create table passkey (
      id uuid primary key,
      person_id uuid not null references person on delete cascade,
      credential_id text not null unique,
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null default '{}',
      aaguid text not null,
      label text not null,
      created_at timestamptz not null default now(),
      last_used_at timestamptz
    );
    create index passkey_person on passkey (person_id);

    -- An open ceremony, deleted by the only attempt to finish it. A login is found by its user token; with is_named
    -- only person_id may finish it (null: no user can). Registrations and confirmations belong to a session.
    create table passkey_challenge (
      challenge_hash bytea primary key,
      ceremony text not null check (ceremony in ('login', 'registration', 'confirmation')),
      user_token_hash bytea,
      is_named boolean not null,
      person_id uuid references person on delete cascade,
      session_id uuid references session on delete cascade,
      expires_at timestamptz not null
    );
    create index passkey_challenge_user_token on passkey_challenge (user_token_hash);
    create index passkey_challenge_person on passkey_challenge (person_id);
    create index passkey_challenge_expires_at on passkey_challenge (expires_at);

    alter table token_link drop constraint token_link_action_check;
    alter table token_link add constraint token_link_action_check check (
      action in ('invite:registration', 'user:reset-password', 'user:otp-recovery', 'user:email-confirmation')
    );
    -- The newest link per account is valid for that account: two people may claim one address concurrently.
    drop index token_link_open;
    create unique index token_link_open on token_link (action, email_key)
      where used_at is null and voided_at is null and person_id is null;
    create unique index token_link_open_of_person on token_link (action, person_id, email_key)
      where used_at is null and voided_at is null and person_id is not null;
    create index token_link_person on token_link (person_id) where used_at is null and voided_at is null;

    create index audit_target on audit (target, at);
  `.execute(db)
}
