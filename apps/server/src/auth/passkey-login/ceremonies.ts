import type { AuthenticationOptions, AuthenticationResult } from '@pult/contract'
import type { Kysely } from 'kysely'
import type { Db, OpenDatabase } from '#platform/database/database.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Log } from '#platform/log.ts'
import type { NoticeService } from '../../account/notices/notice.service.ts'
import type { AuditService } from '../../audit/audit.service.ts'

export interface CeremoniesParts {
  db: OpenDatabase['db']
  audit: AuditService
  notices: NoticeService
  log: Log
  publicUrl: string
}

/** Who is asked for a passkey: anybody, one person by name (who may not exist), or the person of a session. */
export type AskedFor =
  | { ceremony: 'login'; isNamed: boolean; personId: string | null }
  | { ceremony: 'confirmation'; personId: string; sessionId: string }

export interface ProvenPasskey {
  personId: string
  passkeyId: string
}

/** Starts and finishes the proof that somebody holds a passkey, for the login and for a confirmation. */
export function createCeremonies(_parts: CeremoniesParts) {
  return {
    async start(_who: AskedFor): Promise<{ userToken: string; options: AuthenticationOptions }> {
      throw new Error('not built')
    },
    /** Null when it proves nothing, for whatever reason. The ceremony is used up in any case. */
    async finish(
      _who: { ceremony: 'login' } | { ceremony: 'confirmation'; sessionId: string },
      _answer: { userToken: string; result: AuthenticationResult },
      _address: string,
    ): Promise<ProvenPasskey | null> {
      throw new Error('not built')
    },
  }
}
export type Ceremonies = ReturnType<typeof createCeremonies>

export async function sweepCeremonies(_db: Kysely<Database> | Db): Promise<void> {}
