/** What the floor's process is told, as JSON in its only argument. */
export interface FloorOptions {
  port: number
  /** The built page. */
  assets: string
  /** Who can sign in, all with one password, whose hash this is. */
  usernames: string[]
  passwordHash: string
  /** A database with the tables of `sessions.ts`. */
  database?: { host: string; port: number; user: string; database: string }
  /** The product's own database, for the list of projects: both sides read the same rows. */
  projects?: { host: string; port: number; user: string; database: string }
  /** A folder into which uploads are streamed. */
  uploads?: string
  /** A PostgreSQL of its own, started with the process and stopped with it. */
  ownPostgres?: OwnPostgres
}

export interface OwnPostgres {
  /** Where the programs are. */
  programs: string
  /** The database files; made when they are missing. */
  cluster: string
  /** Whom it runs as. */
  uid: number
  gid: number
}
