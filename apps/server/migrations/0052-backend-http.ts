import { type Kysely, sql } from 'kysely'

/**
 * Root's consent to call the service of an extension without TLS (decision record 186). Addresses from the time before
 * it keep working.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table extension add column backend_allows_http boolean not null default false;
    update extension set backend_allows_http = true
    where backend_url ~* '^http://'
      and backend_url !~* '^http://(([^/:]+[.])?localhost|127([.][0-9]+){3}|[[]::1[]])(:[0-9]+)?(/|$)';
  `.execute(db)
}
