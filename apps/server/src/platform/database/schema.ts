// Generated from the migrated database: npm run describe:schema. The migrations explain the columns.
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'

type Instant = ColumnType<Date, Date | string, Date | string>
type DefaultInstant = ColumnType<Date, Date | string | undefined, Date | string>
type OptionalInstant = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>

export interface Database {
  access_request: {
    id: string
    project_id: string
    person_id: string
    product_role: string
    message: Generated<string>
    created_at: DefaultInstant
    ended_at: OptionalInstant
    outcome: string | null
    ended_by: string | null
  }
  app_store: {
    project_id: string
    app: string
    key: string
    value: ColumnType<unknown, string, string>
    created_at: DefaultInstant
    revision: Generated<number>
    updated_at: DefaultInstant
    updated_by: string | null
  }
  attempt: {
    key: string
    failures: number
    blocked_until: OptionalInstant
    updated_at: DefaultInstant
  }
  audit: {
    id: string
    at: DefaultInstant
    event: string
    result: string
    actor_id: string | null
    target: string | null
    project_id: string | null
    address: string | null
    detail: JSONColumnType<Record<string, unknown>>
  }
  audit_archive: {
    number: number
    file_id: string
    digest: Buffer
    entries: number
    first_at: Instant
    last_at: Instant
    created_at: DefaultInstant
  }
  backup_run: {
    id: string
    cause: string
    person_id: string | null
    started_at: DefaultInstant
    seen_at: DefaultInstant
    ended_at: OptionalInstant
    step: string | null
    done: number | null
    total: number | null
    archive: string | null
    files: number | null
    missing: number | null
    error: string | null
    proven_at: OptionalInstant
    proof_error: string | null
  }
  batch_invitation: {
    task_id: string
    email_key: string
    created_at: DefaultInstant
  }
  edge: {
    id: string
    project_id: string
    label: string
    code_hash: Buffer | null
    code_expires_at: OptionalInstant
    token_hash: Buffer | null
    alert_after: Generated<number | null>
    created_at: DefaultInstant
    enrolled_at: OptionalInstant
    revoked_at: OptionalInstant
    revision: Generated<number>
    updated_at: DefaultInstant
    updated_by: string | null
    tags: Generated<string[]>
    place: string | null
    machine: ColumnType<unknown, string | null | undefined, string | null>
  }
  edge_deck: {
    edge_id: string
    serial: string
    brightness: Generated<number>
    picture: Buffer | null
    account_id: string | null
    is_locked: Generated<boolean>
    agreed_at: OptionalInstant
  }
  edge_deck_page: {
    edge_id: string
    serial: string
    page: number
    keys: ColumnType<unknown, string, string>
    face: Buffer | null
  }
  edge_group: {
    id: string
    project_id: string
    label: string
    all_tags: string[]
    any_tags: string[]
    places: string[]
    versions: string[]
    states: string[]
    created_at: DefaultInstant
    revision: Generated<number>
    updated_at: DefaultInstant
    updated_by: string | null
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
  edge_job: {
    id: string
    project_id: string
    label: string | null
    command: ColumnType<unknown, string, string>
    command_label: string | null
    group_label: string | null
    at_once: number
    stop_after: number | null
    stopped: string | null
    total: Generated<number>
    counts: ColumnType<unknown, string | null, string | null>
    created_at: DefaultInstant
    created_by: string | null
    expires_at: Instant
    ended_at: OptionalInstant
  }
  edge_job_line: {
    id: string
    job_id: string
    edge_id: string | null
    label: string
    state: Generated<string>
    info: string | null
    log: Generated<string[]>
    connection: string | null
    sent_at: OptionalInstant
    heard_at: OptionalInstant
    ended_at: OptionalInstant
  }
  edge_key: {
    id: string
    project_id: string
    label: string
    hash: Buffer
    tags: string[]
    needs_approval: boolean
    uses_left: number | null
    used: Generated<number>
    expires_at: OptionalInstant
    last_used_at: OptionalInstant
    created_at: DefaultInstant
    created_by: string | null
  }
  edge_minute: {
    part: number
    series: number
    at: Instant
    places: number[]
    counts: number[]
    lows: number[]
    means: number[]
    highs: number[]
  }
  edge_outage: {
    edge_id: string
    begins: Instant
    ends: OptionalInstant
  }
  edge_presence: {
    edge_id: string
    connection: string
    run: string
    version: string
    is_online: boolean
    seen_at: Instant
    offline_since: OptionalInstant
    alerted_at: OptionalInstant
    mailed_at: OptionalInstant
    report: ColumnType<unknown, string | null, string | null>
    connected_at: DefaultInstant
    troubles: ColumnType<Record<string, string> | null, string | null | undefined, string | null>
    well_since: OptionalInstant
    programs: Generated<number>
    programs_running: Generated<number>
    decks: Generated<number>
    contact_at: OptionalInstant
    silence: string | null
    connection_number: Generated<number>
  }
  edge_quarter: {
    part: number
    series: number
    at: Instant
    places: number[]
    counts: number[]
    lows: number[]
    means: number[]
    highs: number[]
  }
  edge_release_key: {
    id: string
    public_key: Buffer
    private_key: Buffer
    announcement: string | null
    signature: string | null
    created_at: DefaultInstant
  }
  edge_request: {
    id: string
    project_id: string
    token_hash: Buffer | null
    edge_id: string | null
    hardware: string | null
    label: string
    tags: string[]
    key_label: string | null
    machine: ColumnType<unknown, string | null | undefined, string | null>
    version: string | null
    address: string
    created_at: DefaultInstant
    seen_at: DefaultInstant
    refused_at: OptionalInstant
    is_returning: Generated<boolean>
  }
  edge_rollup: {
    kind: string
    until: Instant
  }
  edge_sample: {
    part: number
    edge_id: string
    at: Instant
    ticks: number[]
    series: number[]
    readings: number[]
  }
  edge_schedule: {
    id: string
    project_id: string
    label: string
    command: ColumnType<unknown, string, string>
    group_id: string | null
    cron: string
    time_zone: string
    at_once: number
    stop_percent: number | null
    is_paused: Generated<boolean>
    next_at: OptionalInstant
    created_at: DefaultInstant
    revision: Generated<number>
    updated_at: DefaultInstant
    updated_by: string | null
  }
  edge_schedule_run: {
    schedule_id: string
    due_at: Instant
    job_id: string | null
    missed: string | null
    count: Generated<number>
  }
  edge_series: {
    id: Generated<number>
    edge_id: string
    key: string
    unit: string
  }
  edge_token: {
    hash: Buffer
  }
  edge_update: {
    edge_id: string
    version: string
    ordered_at: Instant
    orders: Generated<number>
  }
  edge_update_policy: {
    project_id: string
    policy: ColumnType<unknown, string, string>
    revision: Generated<number>
    updated_at: DefaultInstant
    updated_by: string | null
  }
  edge_values_used: {
    project_id: string
    kind: string
    period: Instant
    bytes: number
  }
  email: {
    id: string
    person_id: string
    email: string
    email_key: string
    is_default: Generated<boolean>
    created_at: DefaultInstant
    verified_at: OptionalInstant
    verification_sent_at: OptionalInstant
  }
  event: {
    id: Generated<number>
    xid: Generated<string>
    topic: string
    name: string
    data: JSONColumnType<Record<string, unknown>>
    created_at: DefaultInstant
  }
  extension: {
    id: string
    is_enabled: boolean
    digest: string | null
    backend_url: string | null
    changed_at: DefaultInstant
    backend_allows_http: Generated<boolean>
    rights: ColumnType<unknown, string | null | undefined, string | null>
  }
  extension_failure: {
    extension: string
    version: string
    part: string
    message: string
    count: Generated<number>
    first_at: DefaultInstant
    last_at: DefaultInstant
  }
  extension_settings: {
    extension: string
    project_id: string | null
    person_id: string | null
    values: ColumnType<Record<string, unknown>, string, string>
    revision: Generated<number>
    updated_at: DefaultInstant
    updated_by: string | null
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
    created_at: DefaultInstant
    stored_at: OptionalInstant
    claimed_at: OptionalInstant
    expires_at: OptionalInstant
    released_at: OptionalInstant
    arrived: Generated<number>
  }
  idempotency: {
    person_id: string
    path: string
    key: string
    record_id: string
    created_at: DefaultInstant
    request_hash: Buffer | null
  }
  identity_key: {
    id: string
    public_key: JSONColumnType<Record<string, unknown>>
    private_key: Buffer
    created_at: DefaultInstant
  }
  installation: {
    id: Generated<number>
    key_check: Buffer
    created_at: DefaultInstant
    language: string | null
    retention: ColumnType<Record<string, number>, string | undefined, string>
    public_url: string | null
    is_copy: Generated<boolean>
    migrated_by: string | null
    database_id: string | null
  }
  known_device: {
    person_id: string
    secret_hash: Buffer
    last_used_at: DefaultInstant
  }
  mail: {
    id: string
    content: Buffer | null
    created_at: DefaultInstant
    attempts: Generated<number>
    claimed_until: OptionalInstant
    next_try_at: OptionalInstant
    last_error: string | null
    sent_at: OptionalInstant
    given_up_at: OptionalInstant
    kind: string | null
    refused_recipient: string | null
  }
  media: {
    id: string
    project_id: string
    label: string
    type: string
    tags: Generated<string[]>
    state: string
    task_id: string | null
    formats: JSONColumnType<object[]>
    digest: string | null
    created_at: DefaultInstant
    revision: Generated<number>
    updated_at: DefaultInstant
    updated_by: string | null
    notes: string[] | null
  }
  membership: {
    organisation_id: string
    person_id: string
    created_at: DefaultInstant
  }
  node: {
    id: string
    name: string
    version: string
    started_at: Instant
    seen_at: Instant
    sockets: number
    edges: number
    memory: number
    file_store: string | null
    clock_offset: number | null
    untrusted_proxy: string | null
    untrusted_proxy_seen_at: OptionalInstant
    problems: ColumnType<unknown, string | undefined, string>
  }
  note: {
    id: string
    project_id: string
    label: string
    text: Generated<string>
    is_pinned: Generated<boolean>
    created_at: DefaultInstant
    revision: Generated<number>
    updated_at: DefaultInstant
    updated_by: string | null
  }
  organisation: {
    id: string
    label: string
    owner_id: string
    created_at: DefaultInstant
    revision: Generated<number>
    updated_at: DefaultInstant
    updated_by: string | null
  }
  otp: {
    person_id: string
    seed: Buffer | null
    last_step: number | null
    enabled_at: OptionalInstant
    pending_seed: Buffer | null
    pending_at: OptionalInstant
    used_steps: Generated<number[]>
  }
  otp_voucher: {
    token_hash: Buffer
    person_id: string
    password_version: number
    tries: Generated<number>
    created_at: DefaultInstant
    expires_at: Instant
    used_at: OptionalInstant
  }
  passkey: {
    id: string
    person_id: string
    credential_id: string
    public_key: Buffer
    counter: number
    transports: Generated<string[]>
    aaguid: string
    label: string
    created_at: DefaultInstant
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
  person: {
    id: string
    firstname: string
    lastname: string
    password_hash: string | null
    is_root: Generated<boolean>
    disabled_at: OptionalInstant
    created_at: DefaultInstant
    password_version: Generated<number>
    default_project_id: string | null
    revision: Generated<number>
    updated_at: DefaultInstant
    updated_by: string | null
  }
  place_mark: {
    place: string
    mark: string
    noted_at: DefaultInstant
  }
  project: {
    id: string
    label: string
    organisation_id: string | null
    owner_id: string
    config: JSONColumnType<{ consoleColor?: string }>
    created_at: DefaultInstant
    revision: Generated<number>
    updated_at: DefaultInstant
    updated_by: string | null
    meta: ColumnType<{ customer?: string; projectId?: string }, string | undefined, string>
    products: Generated<string[]>
  }
  project_grant: {
    id: string
    project_id: string
    person_id: string
    product_role: string | null
    created_at: DefaultInstant
  }
  recovery_code: {
    id: string
    person_id: string
    salt: Buffer
    hash: Buffer
    is_pending: boolean
    used_at: OptionalInstant
  }
  removed_record: {
    id: string
    collection: string
    project_id: string
    record: JSONColumnType<Record<string, unknown>>
    removed_at: DefaultInstant
  }
  session: {
    id: string
    person_id: string
    created_at: DefaultInstant
    authenticated_at: DefaultInstant
    last_seen_at: DefaultInstant
    expires_at: Instant
    ended_at: OptionalInstant
    user_agent: string
    address: string
    device_hash: Buffer | null
  }
  session_token: {
    token_hash: Buffer
    session_id: string
    parent_hash: Buffer | null
    created_at: DefaultInstant
    first_used_at: OptionalInstant
    expires_at: OptionalInstant
  }
  settings: {
    person_id: string
    name: string
    value: ColumnType<Record<string, unknown>, string, string>
    revision: Generated<number>
    updated_at: DefaultInstant
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
    lease_for: string
    lease_until: OptionalInstant
    created_at: DefaultInstant
    started_at: OptionalInstant
    deadline_at: Instant
    fulfilled_at: OptionalInstant
    archived_at: OptionalInstant
    revision: Generated<number>
    retries: Generated<number>
    retry_at: OptionalInstant
    repeat_hash: Buffer | null
    search: GeneratedAlways<string>
    retry_until: OptionalInstant
    retry_id: string | null
    archiving_id: string | null
    info_message: ColumnType<unknown, string | null | undefined, string | null>
    error_message: ColumnType<unknown, string | null | undefined, string | null>
  }
  task_archiving: {
    id: string
    project_id: string
    person_id: string
    at: DefaultInstant
    ended_at: OptionalInstant
  }
  task_log: {
    task_id: string
    id: Generated<number>
    at: DefaultInstant
    line: string
    message: ColumnType<unknown, string | null | undefined, string | null>
  }
  task_token: {
    id: string
    project_id: string
    label: string
    types: string[]
    token_hash: Buffer
    created_at: DefaultInstant
    created_by: string | null
    last_used_at: OptionalInstant
    expires_at: DefaultInstant
  }
  token_link: {
    id: string
    token_hash: Buffer
    action: string
    person_id: string | null
    email: string
    email_key: string
    data: JSONColumnType<Record<string, unknown>>
    created_at: DefaultInstant
    created_by: string | null
    expires_at: Instant
    used_at: OptionalInstant
    voided_at: OptionalInstant
    target: Generated<string>
  }
  upload_ticket: {
    token_hash: Buffer
    file_id: string
    session_id: string | null
    received: Generated<number>
    expires_at: Instant
    held_by: string | null
    held_until: OptionalInstant
    token_id: string | null
    multipart_id: string | null
  }
  used_space: {
    place: string
    person_id: string | null
    bytes: number
  }
}
