import { type Kysely, sql } from 'kysely'

/** People, their means of sign-in, mailed links and the outbox. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- One row. key_check detects a node that starts with another secret than the one that encrypted the stored
    -- secrets.
    create table installation (
      id int primary key default 1 check (id = 1),
      key_check bytea not null,
      created_at timestamptz not null default now()
    );

    create table person (
      id uuid primary key,
      firstname text not null,
      lastname text not null,
      password_hash text,
      is_root boolean not null default false,
      disabled_at timestamptz,
      created_at timestamptz not null default now()
    );
    create index person_root on person (id) where is_root;

    -- email is the address as entered, email_key its canonical form.
    create table email (
      id uuid primary key,
      person_id uuid not null references person on delete cascade,
      email text not null,
      email_key text not null,
      is_default boolean not null default false,
      created_at timestamptz not null default now(),
      verified_at timestamptz,
      unique (person_id, email_key),
      check (not is_default or verified_at is not null)
    );
    -- An unverified claim does not block the real owner of an address.
    create unique index email_verified on email (email_key) where verified_at is not null;
    create unique index email_one_default on email (person_id) where is_default;

    create table session (
      id uuid primary key,
      person_id uuid not null references person on delete cascade,
      created_at timestamptz not null default now(),
      authenticated_at timestamptz not null default now(),
      last_seen_at timestamptz not null default now(),
      expires_at timestamptz not null,
      ended_at timestamptz,
      user_agent text not null,
      address text not null
    );
    create index session_person on session (person_id) where ended_at is null;

    -- A session can have several tokens: each reissue adds one, and the replaced token expires 60 seconds after the
    -- first use of a successor.
    create table session_token (
      token_hash bytea primary key,
      session_id uuid not null references session on delete cascade,
      parent_hash bytea,
      created_at timestamptz not null default now(),
      first_used_at timestamptz,
      expires_at timestamptz
    );
    create index session_token_session on session_token (session_id);

    -- Attempts of one subject (an account, a network): consecutive failures, or those of a window that ends at
    -- blocked_until.
    create table attempt (
      key text primary key,
      failures int not null,
      blocked_until timestamptz,
      updated_at timestamptz not null default now()
    );

    -- Only the newest link per address and action is valid: older ones are voided. person_id is null if the link
    -- belongs to an address only.
    create table token_link (
      id uuid primary key,
      token_hash bytea not null unique,
      action text not null check (action in ('invite:registration')),
      person_id uuid references person on delete cascade,
      email text not null,
      email_key text not null,
      data jsonb not null default '{}',
      created_at timestamptz not null default now(),
      created_by uuid references person on delete set null,
      expires_at timestamptz not null,
      used_at timestamptz,
      voided_at timestamptz
    );
    create unique index token_link_open on token_link (action, email_key)
      where used_at is null and voided_at is null;
    create index token_link_expires_at on token_link (expires_at);

    -- The outbox: a mail is written in the transaction that causes it and sent by a job. content is encrypted, and
    -- deleted when the mail is sent or given up. claimed_until excludes other jobs during a delivery. next_try_at is
    -- set only if the mail server rejected the mail.
    create table mail (
      id uuid primary key,
      content bytea,
      created_at timestamptz not null default now(),
      attempts int not null default 0,
      claimed_until timestamptz,
      next_try_at timestamptz,
      last_error text,
      sent_at timestamptz,
      given_up_at timestamptz
    );
    create index mail_unsent on mail (created_at) where sent_at is null and given_up_at is null;

    -- Security events, append-only: the trigger rejects every change.
    create table audit (
      id uuid primary key,
      at timestamptz not null default now(),
      event text not null,
      result text not null check (result in ('success', 'failure')),
      actor_id uuid,
      target text,
      project_id uuid,
      address text,
      detail jsonb not null default '{}'
    );
    create index audit_at on audit (at);
    create index audit_actor on audit (actor_id, at);
    create function refuse_change() returns trigger language plpgsql as $$
      begin
        raise exception 'table % is append-only', tg_table_name;
      end
    $$;
    create trigger audit_append_only before update or delete or truncate on audit
      for each statement execute function refuse_change();
  `.execute(db)
}
