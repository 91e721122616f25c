/** The options of the floor's process, passed as JSON in its only argument. */
export interface FloorOptions {
  port: number
  /** The built page. */
  assets: string
  /** The accounts that can sign in. All have the password of this hash. */
  usernames: string[]
  passwordHash: string
  /** A database with the tables of `sessions.ts`. */
  database?: { host: string; port: number; user: string; database: string }
  /** The product's own database, for the list of projects: both sides read the same rows. */
  projects?: { host: string; port: number; user: string; database: string }
  /** A folder into which uploads are streamed. */
  uploads?: string
  /** A separate PostgreSQL that starts and stops with the process. */
  ownPostgres?: OwnPostgres
}

export interface OwnPostgres {
  /** Path of the executables. */
  programs: string
  /** Path of the database files, created if missing. */
  cluster: string
  /** The system user that runs it. */
  uid: number
  gid: number
}
