import type { ColumnType, Generated, JSONColumnType } from 'kysely'

/*
 * The tables as TypeScript sees them. The migrations are what makes them; a column's meaning is explained there.
 */

type Instant = ColumnType<Date, Date | string | undefined, Date | string>
type OptionalInstant = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>

export interface Database {
  installation: {
    id: Generated<number>
    key_check: Buffer
    created_at: Instant
  }
  person: {
    id: string
    firstname: string
    lastname: string
    password_hash: string | null
    password_version: Generated<number>
    is_root: Generated<boolean>
    default_project_id: string | null
    disabled_at: OptionalInstant
    created_at: Instant
    revision: Generated<number>
    updated_at: Instant
    updated_by: string | null
  }
  email: {
    id: string
    person_id: string
    email: string
    email_key: string
    is_default: Generated<boolean>
    created_at: Instant
    verified_at: OptionalInstant
    verification_sent_at: OptionalInstant
  }
  otp: {
    person_id: string
    seed: Buffer | null
    last_step: number | null
    enabled_at: OptionalInstant
    pending_seed: Buffer | null
    pending_at: OptionalInstant
  }
  recovery_code: {
    id: string
    person_id: string
    salt: Buffer
    hash: Buffer
    is_pending: boolean
    used_at: OptionalInstant
  }
  otp_voucher: {
    token_hash: Buffer
    person_id: string
    password_version: number
    tries: Generated<number>
    created_at: Instant
    expires_at: Instant
    used_at: OptionalInstant
  }
  passkey: {
    id: string
    person_id: string
    credential_id: string
    public_key: Buffer
    counter: number
    transports: string[]
    aaguid: string
    label: string
    created_at: Instant
    last_used_at: OptionalInstant
  }
  passkey_challenge: {
    challenge_hash: Buffer
    ceremony: string
    user_token_hash: Buffer | null
    is_named: boolean
    person_id: string | null
    session_id: string | null
    expires_at: Instant
  }
  session: {
    id: string
    person_id: string
    created_at: Instant
    authenticated_at: Instant
    last_seen_at: Instant
    expires_at: Instant
    ended_at: OptionalInstant
    user_agent: string
    address: string
  }
  session_token: {
    token_hash: Buffer
    session_id: string
    parent_hash: Buffer | null
    created_at: Instant
    first_used_at: OptionalInstant
    expires_at: OptionalInstant
  }
  attempt: {
    key: string
    failures: number
    blocked_until: OptionalInstant
    updated_at: Instant
  }
  extension: {
    id: string
    is_enabled: boolean
    digest: string | null
    backend_url: string | null
    changed_at: Instant
  }
  app_store: {
    project_id: string
    app: string
    key: string
    value: ColumnType<unknown, string, string>
    created_at: Instant
    revision: Generated<number>
    updated_at: Instant
    updated_by: string | null
  }
  identity_key: {
    id: string
    public_key: JSONColumnType<Record<string, unknown>>
    private_key: Buffer
    created_at: Instant
  }
  token_link: {
    id: string
    token_hash: Buffer
    action: string
    person_id: string | null
    email: string
    email_key: string
    data: JSONColumnType<Record<string, unknown>>
    target: Generated<string>
    created_at: Instant
    created_by: string | null
    expires_at: Instant
    used_at: OptionalInstant
    voided_at: OptionalInstant
  }
  mail: {
    id: string
    /** Sealed: recipient, subject and bodies carry link tokens. */
    content: Buffer | null
    created_at: Instant
    attempts: Generated<number>
    claimed_until: OptionalInstant
    next_try_at: OptionalInstant
    last_error: string | null
    sent_at: OptionalInstant
    given_up_at: OptionalInstant
  }
  event: {
    id: Generated<number>
    xid: Generated<string>
    topic: string
    name: string
    data: JSONColumnType<Record<string, unknown>>
    created_at: Instant
  }
  audit: {
    id: string
    at: Instant
    event: string
    result: string
    actor_id: string | null
    target: string | null
    project_id: string | null
    address: string | null
    detail: JSONColumnType<Record<string, unknown>>
  }
  organisation: {
    id: string
    label: string
    owner_id: string
    created_at: Instant
    revision: Generated<number>
    updated_at: Instant
    updated_by: string | null
  }
  membership: {
    organisation_id: string
    person_id: string
    created_at: Instant
  }
  project: {
    id: string
    label: string
    organisation_id: string | null
    owner_id: string
    config: JSONColumnType<{ consoleColor?: string }>
    meta: ColumnType<{ customer?: string; projectId?: string }, string | undefined, string>
    products: Generated<string[]>
    created_at: Instant
    revision: Generated<number>
    updated_at: Instant
    updated_by: string | null
  }
  project_grant: {
    id: string
    project_id: string
    person_id: string
    product_role: string | null
    created_at: Instant
  }
  note: {
    id: string
    project_id: string
    label: string
    text: Generated<string>
    is_pinned: Generated<boolean>
    created_at: Instant
    revision: Generated<number>
    updated_at: Instant
    updated_by: string | null
  }
  idempotency: {
    person_id: string
    path: string
    key: string
    record_id: string
    created_at: Instant
  }
  task: {
    id: string
    project_id: string
    type: string
    kind: 'info' | 'download-generation'
    title: string
    state: 'queued' | 'running' | 'finished' | 'rejected' | 'timed-out' | 'aborted'
    progress_done: number | null
    progress_total: number | null
    info: string | null
    error: string | null
    file_id: string | null
    file_name: string | null
    payload: ColumnType<unknown, string | null | undefined, string | null>
    created_by: string | null
    token_id: string | null
    repeat_key: string | null
    can_restart: Generated<boolean>
    losses: Generated<number>
    fence: Generated<number>
    /** An interval. */
    lease_for: ColumnType<string, string, string>
    lease_until: OptionalInstant
    created_at: Instant
    started_at: OptionalInstant
    deadline_at: Instant
    fulfilled_at: OptionalInstant
    archived_at: OptionalInstant
    revision: Generated<number>
  }
  task_log: {
    task_id: string
    id: Generated<number>
    at: Instant
    line: string
  }
  task_token: {
    id: string
    project_id: string
    label: string
    types: string[]
    token_hash: Buffer
    created_at: Instant
    created_by: string | null
    last_used_at: OptionalInstant
  }
  file: {
    id: string
    filename: string
    project_id: string | null
    person_id: string | null
    readers: 'project' | 'person'
    name: string
    content_type: string
    size: number
    sha256: Buffer | null
    width: number | null
    height: number | null
    created_at: Instant
    stored_at: OptionalInstant
    claimed_at: OptionalInstant
    expires_at: OptionalInstant
    released_at: OptionalInstant
  }
  upload_ticket: {
    token_hash: Buffer
    file_id: string
    session_id: string | null
    token_id: string | null
    received: Generated<number>
    expires_at: Instant
    held_by: string | null
    held_until: OptionalInstant
  }
  settings: {
    person_id: string
    name: string
    value: ColumnType<Record<string, unknown>, string, string>
    revision: Generated<number>
    updated_at: Instant
  }
  edge: {
    id: string
    project_id: string
    label: string
    code_hash: Buffer | null
    code_expires_at: OptionalInstant
    token_hash: Buffer | null
    alert_after: Generated<number | null>
    created_at: Instant
    enrolled_at: OptionalInstant
    revoked_at: OptionalInstant
    revision: Generated<number>
    updated_at: Instant
    updated_by: string | null
  }
  edge_presence: {
    edge_id: string
    connection: string
    connected_at: Instant
    run: string
    version: string
    is_online: boolean
    seen_at: Instant
    offline_since: OptionalInstant
    alerted_at: OptionalInstant
    mailed_at: OptionalInstant
    report: ColumnType<unknown, string | null, string | null>
  }
  edge_instance: {
    id: string
    edge_id: string
    key: string | null
    reported_label: string | null
    label: string
    is_reported: boolean
    project_id: string | null
  }
  edge_deck: {
    edge_id: string
    serial: string
    brightness: Generated<number>
    picture: Buffer | null
  }
  media: {
    id: string
    project_id: string
    label: string
    type: string
    tags: Generated<string[]>
    state: string
    task_id: string | null
    /** Stored as JSON; see the room of media for what is in it. */
    formats: JSONColumnType<object[]>
    digest: string | null
    created_at: Instant
    revision: Generated<number>
    updated_at: Instant
    updated_by: string | null
  }
  batch_invitation: {
    task_id: string
    email_key: string
    created_at: Instant
  }
}
