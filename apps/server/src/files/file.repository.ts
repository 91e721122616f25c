import { limits, type StoredFile, uploadMost } from '@pult/contract'
import { type RawBuilder, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { hasCome } from '#platform/database/clock.ts'
import type { Db } from '#platform/database/database.ts'
import { restorableFor } from '#platform/database/removed-records.ts'
import { isTokenValid } from '../tasks/tokens/valid-token.ts'
import type { FileRecord } from './file-store.ts'
import type { SignedLink } from './signed-link.ts'

/** A file record with the internal fields of this room. */
export interface FoundFile extends FileRecord {
  readers: 'project' | 'person'
  isClaimed: boolean
  createdAt: Date
  expiresAt: Date | null
}

/** The project or person whose quota a file counts against. */
export interface Place {
  projectId: string | null
  personId: string | null
}

/** A file during its upload. */
export interface HeldUpload extends Place {
  fileId: string
  filename: string
  name: string
  contentType: string
  size: number
  received: number
  /** The store's id of an upload in parts. */
  multipartId: string | null
  /** Milliseconds until the ticket expires. */
  left: number
}

/** An upload that is not stored. */
export interface UnfinishedUpload extends Place {
  size: number
  received: number
  tokenHash: Buffer
  /** Its ticket is valid. */
  isValid: boolean
  /** It is not older than a day, and nothing has released it. */
  isResumable: boolean
  /** Seconds for which a transfer holds the ticket; 0 without one. */
  heldFor: number
}

/** An upload whose ticket is valid again. */
export interface ReopenedUpload extends Place {
  filename: string
  contentType: string
  size: number
  received: number
  multipartId: string | null
  expiresAt: Date
  /** Whole seconds until then. */
  seconds: number
}

/** The holder of a new ticket. */
interface TicketHolder {
  sessionId: string | null
  tokenId: string | null
}

/** The progress of an upload. */
export interface UploadProgress {
  received: number
  size: number
  /** Seconds for which a transfer still holds the ticket; undefined without one. A running transfer extends them. */
  heldFor?: number | undefined
}

interface NewFile {
  filename: string
  projectId: string | null
  personId: string | null
  readers: 'project' | 'person'
  name: string
  contentType: string
  size: number
}

export interface Measured {
  sha256: Buffer | null
  width: number | null
  height: number | null
}

/** Time without data after which another upload may take over the ticket. */
const hold = sql`interval '20 seconds'`

/** Whether no transfer holds a ticket `t`. */
const isFree = sql`coalesce(${hasCome(sql`t.held_until`, hold)}, true)`

/** Seconds until the hold of a ticket `t` ends; 0 without one. A crash of the server leaves a hold. */
const heldFor = sql<number>`case when ${isFree} then 0 else ceil(extract(epoch from t.held_until - now())) end::float8`

/** Enough time to fill in a form between upload and claim. */
const unclaimedLifetime = sql`interval '24 hours'`

const ticketLifetime = sql`(${limits.uploadTicket} * interval '1 ms')`
const uploadLifetime = sql`(${uploadMost} * interval '1 ms')`

/** The expiry of a ticket after a new byte or a resume, within the lifetime of its upload `f`. */
const extended = sql`least(now() + ${ticketLifetime}, f.created_at + ${uploadLifetime})`

const isThere = sql<boolean>`(f.stored_at is not null and f.released_at is null
  and (f.expires_at is null or f.expires_at > now()))`

/** A ticket `t` is valid while its session or task token is. */
const isValid = sql<boolean>`(t.expires_at > now() and (t.session_id is null or exists (
  select from session s where s.id = t.session_id and s.ended_at is null and s.expires_at > now()))
  and (t.token_id is null or exists (
  select from task_token token where token.id = t.token_id and ${isTokenValid})))`

/** An upload `f` with a ticket `t` that no transfer uses. It can be resumed, or given up for the space of another one. */
const isExpired = sql<boolean>`(f.stored_at is null and f.released_at is null and not ${isValid}
  and ${isFree})`

const columns = sql`f.id, f.filename, f.project_id as "projectId", f.person_id as "personId", f.readers, f.name,
  f.content_type as "contentType", f.size, encode(f.sha256, 'hex') as sha256, f.width, f.height, f.claimed_at is not null as "isClaimed",
  f.created_at as "createdAt", f.expires_at as "expiresAt"`

/** The uploader of a file: a person, or a service of a project. */
export interface Uploader {
  personId: string | null
  /** The project of a service. Ignored for a person. */
  projectId: string | null
}

/** The files of a place or of the installation, or only those of one uploader. */
export interface Scope {
  of: Place | 'installation'
  uploader?: Uploader
}

const isFileOf = ({ personId, projectId }: Uploader) =>
  personId === null
    ? sql`f.person_id is null and f.project_id = ${projectId}::uuid`
    : sql`f.person_id = ${personId}::uuid`

const isIn = ({ of, uploader }: Scope) => {
  const isOfPlace =
    of === 'installation'
      ? sql`true`
      : of.projectId === null
        ? sql`f.project_id is null and f.person_id = ${of.personId}::uuid`
        : sql`f.project_id = ${of.projectId}::uuid`
  return uploader === undefined ? isOfPlace : sql`${isOfPlace} and ${isFileOf(uploader)}`
}

/** The row of a place in `used_space`. */
const rowOf = ({ projectId, personId }: Place) =>
  projectId === null ? `person ${personId ?? ''}` : `project ${projectId}`

export function createFileRepository(db: Db) {
  const all = async (condition: RawBuilder<unknown>): Promise<FoundFile[]> =>
    (await sql<FoundFile>`select ${columns} from file f where ${isThere} and ${condition}`.execute(db)).rows

  const one = async (condition: RawBuilder<unknown>) => (await all(condition))[0]

  /**
   * Deletes the tickets of expired uploads and releases their files. Skips those that another transaction changes: it
   * may wait for the space that this one holds. Returns the file names.
   */
  async function giveUp(fileIds: RawBuilder<unknown>): Promise<string[]> {
    const { rows } = await sql<{ filename: string }>`
      with free as materialized (
        select t.file_id from upload_ticket t join file f on f.id = t.file_id
        where t.file_id in (${fileIds}) and ${isExpired} for update of t, f skip locked
      ), gone as (
        delete from upload_ticket t using free where t.file_id = free.file_id returning t.file_id
      )
      update file f set released_at = now(), arrived = 0 from gone where f.id = gone.file_id returning f.filename`.execute(
      db,
    )
    return rows.map(({ filename }) => filename)
  }

  return {
    /**
     * Counts the changes of this transaction now instead of at its end. Until then no other transaction can change the
     * sums of the same places.
     */
    async settleSpace(): Promise<void> {
      await sql`set constraints file_space immediate`.execute(db)
    },

    /** Returns the bytes that count in a place and in the installation. Reads two kept sums. */
    async usedSpace(place: Place): Promise<{ ofPlace: number; ofInstallation: number }> {
      const { rows } = await sql<{ ofPlace: number; ofInstallation: number }>`
        select coalesce(sum(bytes) filter (where place <> 'installation'), 0)::bigint as "ofPlace",
          coalesce(sum(bytes) filter (where place = 'installation'), 0)::bigint as "ofInstallation"
        from used_space where place in ('installation', ${rowOf(place)})`.execute(db)
      return rows[0] ?? { ofPlace: 0, ofInstallation: 0 }
    },

    /** Returns the bytes of the uploader's unfinished uploads in a place and in the installation. */
    async unfinishedSpace(
      place: Place,
      uploader: Uploader,
    ): Promise<{ ofPlace: number; ofInstallation: number }> {
      const { rows } = await sql<{ ofPlace: number; ofInstallation: number }>`
        select coalesce(sum(f.arrived) filter (where ${isIn({ of: place })}), 0)::bigint as "ofPlace",
          coalesce(sum(f.arrived), 0)::bigint as "ofInstallation"
        from file f where ${isFileOf(uploader)} and f.stored_at is null`.execute(db)
      return rows[0] ?? { ofPlace: 0, ofInstallation: 0 }
    },

    /** Returns the bytes that `giveUpExpired` could free. */
    async expiredSpace(scope: Scope, except: string | null): Promise<number> {
      const { rows } = await sql<{ bytes: number }>`
        select coalesce(sum(f.arrived), 0)::bigint as bytes from upload_ticket t join file f on f.id = t.file_id
        where ${isIn(scope)} and ${isExpired} and f.filename is distinct from ${except}`.execute(db)
      return rows[0]?.bytes ?? 0
    },

    /**
     * Counts the unfinished uploads. Serialises requests of one uploader, so that concurrent requests cannot exceed the
     * limit.
     */
    async countUnfinished(uploader: Uploader): Promise<number> {
      const whose = uploader.personId ?? uploader.projectId ?? ''
      await sql`select pg_advisory_xact_lock(hashtextextended(${`uploads of ${whose}`}, 0))`.execute(db)
      const { rows } = await sql<{ count: number }>`
        select count(*) from upload_ticket t join file f on f.id = t.file_id
        where ${isFileOf(uploader)} and f.stored_at is null and f.released_at is null`.execute(db)
      return rows[0]?.count ?? 0
    },

    /** Gives up the upload of the uploader that has been expired for the longest time. */
    giveUpOldest: (uploader: Uploader): Promise<string[]> =>
      giveUp(sql`
        select t.file_id from upload_ticket t join file f on f.id = t.file_id
        where ${isFileOf(uploader)} and ${isExpired} order by t.expires_at limit 1`),

    /** Gives up expired uploads except one, oldest first, until they free this many bytes. */
    giveUpExpired: (scope: Scope, bytes: number, except: string | null): Promise<string[]> =>
      giveUp(sql`
        select expired.file_id from (
          select t.file_id, sum(t.received) over (order by t.expires_at, t.file_id) - t.received as freed
          from upload_ticket t join file f on f.id = t.file_id
          where ${isIn(scope)} and ${isExpired} and t.received > 0 and f.filename is distinct from ${except}
        ) expired where expired.freed < ${bytes}`),

    /** Adds a file before its upload. `mayHold` is the number of bytes that a store may receive unseen by this server. */
    async expect(
      file: NewFile,
      ticket: TicketHolder & { tokenHash: Buffer; mayHold: number },
    ): Promise<Date> {
      const { rows } = await sql<{ expiresAt: Date }>`
        with made as (
          insert into file (id, filename, project_id, person_id, readers, name, content_type, size)
          values (${uuidv7()}, ${file.filename}, ${file.projectId}, ${file.personId}, ${file.readers}, ${file.name},
            ${file.contentType}, ${file.size})
          returning id
        )
        insert into upload_ticket (token_hash, file_id, session_id, token_id, received, expires_at)
        select ${ticket.tokenHash}, made.id, ${ticket.sessionId}::uuid, ${ticket.tokenId}::uuid, ${ticket.mayHold},
          now() + ${ticketLifetime}
        from made returning expires_at as "expiresAt"`.execute(db)
      return rows[0]?.expiresAt ?? new Date(0)
    },

    /** Adds a stored file. */
    async add(file: NewFile & Measured & { lifetime: number }): Promise<FoundFile> {
      const { rows } = await sql<FoundFile>`
        insert into file as f (id, filename, project_id, person_id, readers, name, content_type, size, sha256, width,
          height, stored_at, claimed_at, expires_at)
        values (${uuidv7()}, ${file.filename}, ${file.projectId}, ${file.personId}, ${file.readers}, ${file.name},
          ${file.contentType}, ${file.size}, ${file.sha256}, ${file.width}, ${file.height}, now(), now(),
          now() + ${file.lifetime}::float8 * interval '1 ms')
        returning ${columns}`.execute(db)
      const [made] = rows
      if (made === undefined) throw new Error('the file was not added')
      return made
    },

    find: (fileId: string) => one(sql`f.id = ${fileId}`),

    findAll: (fileIds: readonly string[]) => all(sql`f.id = any(${fileIds}::uuid[])`),

    /** Returns the file of a signed link that has not expired, and the user of its session, which must be valid. */
    async findLinked({ fileId, until, session }: Pick<SignedLink, 'fileId' | 'until' | 'session'>) {
      const { rows } = await sql<FoundFile & { holderId: string; holderIsRoot: boolean }>`
        select ${columns}, holder.id as "holderId", holder.is_root as "holderIsRoot"
        from file f, session s join person holder on holder.id = s.person_id
        where f.id = ${fileId} and ${isThere} and to_timestamp(${until}::float8) > now()
          and s.id = ${session} and s.ended_at is null and s.expires_at > now()
          and holder.disabled_at is null`.execute(db)
      const [row] = rows
      if (row === undefined) return undefined
      const { holderId: personId, holderIsRoot: isRoot, ...file } = row
      return { file, holder: { personId, isRoot, scope: [] } }
    },

    findStored: (filename: string) => one(sql`f.filename = ${filename}`),

    /** Returns the progress of an upload; undefined if its ticket is not valid. */
    async received(tokenHash: Buffer): Promise<UploadProgress | undefined> {
      const { rows } = await sql<UploadProgress>`
        select t.received, f.size, ${heldFor} as "heldFor" from upload_ticket t join file f on f.id = t.file_id
        where t.token_hash = ${tokenHash} and ${isValid}`.execute(db)
      const [row] = rows
      return row && { ...row, heldFor: row.heldFor || undefined }
    },

    /** Returns the uploader's own upload with this name, unless it is stored. */
    async findUnfinished(filename: string, uploader: Uploader): Promise<UnfinishedUpload | undefined> {
      const { rows } = await sql<UnfinishedUpload>`
        select f.project_id as "projectId", f.person_id as "personId", f.size, coalesce(t.received, 0) as received,
          t.token_hash as "tokenHash", coalesce(${isValid}, false) as "isValid", ${heldFor} as "heldFor",
          (t.file_id is not null and f.released_at is null and f.created_at > now() - ${uploadLifetime}) as "isResumable"
        from file f left join upload_ticket t on t.file_id = f.id
        where f.filename = ${filename} and ${isFileOf(uploader)} and f.stored_at is null`.execute(db)
      return rows[0]
    },

    /**
     * Makes the ticket of an unfinished upload valid for the given session or token. A new token replaces the previous
     * one. Returns undefined if a transfer holds the ticket or the upload has ended concurrently.
     */
    async reopen(
      filename: string,
      { sessionId, tokenId, tokenHash }: TicketHolder & { tokenHash: Buffer },
    ): Promise<ReopenedUpload | undefined> {
      const { rows } = await sql<ReopenedUpload>`
        update upload_ticket t set token_hash = ${tokenHash}, session_id = ${sessionId}::uuid,
          token_id = ${tokenId}::uuid, held_by = null, held_until = null, expires_at = greatest(${extended}, t.expires_at)
        from file f
        where f.id = t.file_id and f.filename = ${filename} and f.stored_at is null and f.released_at is null
          and ${isFree}
        returning f.filename, f.project_id as "projectId", f.person_id as "personId", f.content_type as "contentType",
          f.size, t.received, t.multipart_id as "multipartId", t.expires_at as "expiresAt", floor(extract(epoch from t.expires_at - now()))::float8 as seconds`.execute(
        db,
      )
      return rows[0]
    },

    /** Records the store's id of an upload in parts, unless another one replaced `former`. Returns the recorded id. */
    async setMultipart(filename: string, id: string, former: string | null): Promise<string | null> {
      const { rows } = await sql<{ id: string | null }>`
        update upload_ticket t set multipart_id = case
          when t.multipart_id is not distinct from ${former}::text then ${id}::text else t.multipart_id end
        from file f where f.id = t.file_id and f.filename = ${filename} returning t.multipart_id as id`.execute(
        db,
      )
      return rows[0]?.id ?? null
    },

    /** Records how many bytes of an upload the store may hold. */
    async setReceived(filename: string, received: number): Promise<true> {
      await sql`
        update upload_ticket t set received = ${received}
        from file f where f.id = t.file_id and f.filename = ${filename}`.execute(db)
      return true
    },

    /** Acquires a ticket for one upload. Returns the rest of its hold if another upload holds it. */
    async hold(tokenHash: Buffer, holder: string): Promise<HeldUpload | { heldFor: number } | undefined> {
      const { rows } = await sql<HeldUpload & { isHeld: boolean; heldFor: number }>`
        update upload_ticket t set
          held_by = case when ${isFree} then ${holder}::uuid else held_by end,
          held_until = case when ${isFree} then now() + ${hold} else held_until end
        from file f
        where f.id = t.file_id and t.token_hash = ${tokenHash} and ${isValid}
        returning f.id as "fileId", f.filename, f.project_id as "projectId", f.person_id as "personId", f.name,
          f.content_type as "contentType", f.size, t.received, t.multipart_id as "multipartId", t.held_by <> ${holder}::uuid as "isHeld", ${heldFor} as "heldFor",
          ceil(extract(epoch from t.expires_at - now()) * 1000)::float8 as left`.execute(db)
      const [row] = rows
      return row?.isHeld === true ? { heldFor: row.heldFor } : row
    },

    /**
     * Extends the hold, and the ticket if more bytes have been received. After the last byte, its lifetime is that of
     * the checks. Returns the milliseconds until the ticket expires; undefined if another upload holds it or it has
     * expired.
     */
    async renew(tokenHash: Buffer, holder: string, received: number): Promise<number | undefined> {
      const { rows } = await sql<{ left: number }>`
        update upload_ticket t set held_until = now() + ${hold}, received = ${received},
          expires_at = case
            when ${received}::bigint <= t.received then t.expires_at
            when ${received}::bigint < f.size then ${extended}
            else now() + ${ticketLifetime} end
        from file f
        where f.id = t.file_id and t.token_hash = ${tokenHash} and t.held_by = ${holder} and ${isValid}
        returning ceil(extract(epoch from t.expires_at - now()) * 1000)::float8 as left`.execute(db)
      return rows[0]?.left
    },

    /** Releases the ticket for another upload to continue. Returns undefined if another upload holds it. */
    async releaseTicket(tokenHash: Buffer, holder: string, received: number): Promise<true | undefined> {
      const { rows } = await sql`
        update upload_ticket set held_by = null, held_until = null, received = ${received}
        where token_hash = ${tokenHash} and held_by = ${holder} returning 1`.execute(db)
      return rows.length > 0 || undefined
    },

    /** Marks the file as stored and consumes the ticket. Returns undefined if the ticket has ended concurrently. */
    async store(
      { tokenHash, holder }: { tokenHash: Buffer; holder: string },
      { name, contentType, sha256, width, height }: Measured & Pick<NewFile, 'name' | 'contentType'>,
    ): Promise<FoundFile | undefined> {
      const { rows } = await sql<FoundFile>`
        with used as (
          delete from upload_ticket t where t.token_hash = ${tokenHash} and t.held_by = ${holder} and ${isValid}
          returning t.file_id
        )
        update file f set stored_at = now(), name = ${name}, content_type = ${contentType}, sha256 = ${sha256},
          width = ${width}, height = ${height}
        from used where f.id = used.file_id
        returning ${columns}`.execute(db)
      return rows[0]
    },

    /** Deletes the ticket and the file after a final refusal. */
    async refuse(tokenHash: Buffer, holder: string): Promise<void> {
      await sql`
        delete from file f using upload_ticket t
        where t.token_hash = ${tokenHash} and t.held_by = ${holder} and f.id = t.file_id and f.stored_at is null`.execute(
        db,
      )
    },

    async claim(upload: {
      filename: string
      projectId: string | null
      personId: string | null
      lifetime?: number
    }): Promise<FoundFile | undefined> {
      const { rows } = await sql<FoundFile>`
        update file f set claimed_at = now(),
          expires_at = now() + ${upload.lifetime ?? null}::float8 * interval '1 ms'
        where f.filename = ${upload.filename} and ${isThere} and f.claimed_at is null
          and f.project_id is not distinct from ${upload.projectId}::uuid
          and (${upload.personId}::uuid is null or f.person_id = ${upload.personId}::uuid)
        returning ${columns}`.execute(db)
      return rows[0]
    },

    async setLifetime(fileIds: readonly string[], lifetime: number | null): Promise<void> {
      await sql`
        update file set expires_at = now() + ${lifetime}::float8 * interval '1 ms'
        where id = any(${fileIds}::uuid[]) and released_at is null`.execute(db)
    },

    async release(fileIds: readonly string[]): Promise<void> {
      await sql`
        update file set released_at = now() where id = any(${fileIds}::uuid[]) and released_at is null`.execute(
        db,
      )
    },

    /** Hides files that the undo of a deletion may need again. */
    async withhold(fileIds: readonly string[]): Promise<void> {
      await sql`
        update file set released_at = now() + ${restorableFor}
        where id = any(${fileIds}::uuid[]) and released_at is null`.execute(db)
    },

    /** Restores withheld files that are not yet released. */
    async restore(fileIds: readonly string[]): Promise<void> {
      await sql`
        update file set released_at = null where id = any(${fileIds}::uuid[]) and released_at > now()`.execute(
        db,
      )
    },

    /** Skips files without a lifetime, because a transaction has made them permanent. */
    async releaseTemporary(fileIds: readonly string[]): Promise<void> {
      await sql`
        update file set released_at = now()
        where id = any(${fileIds}::uuid[]) and released_at is null and expires_at is not null`.execute(db)
    },

    /** Releases an unclaimed file of the person. Returns whether it existed. */
    async releaseUnclaimed(fileId: string, personId: string): Promise<boolean> {
      const { rows } = await sql`
        update file f set released_at = now()
        where f.id = ${fileId} and f.person_id = ${personId} and f.claimed_at is null and ${isThere}
        returning 1`.execute(db)
      return rows.length > 0
    },

    /** Releases files that are no longer needed: uploads after a day, unused files and those of deleted owners. */
    async releaseUnneeded(): Promise<void> {
      await sql`
        update file f set released_at = now()
        where f.released_at is null and f.expires_at <= now()`.execute(db)
      await sql`
        update file f set released_at = now()
        where f.released_at is null and f.claimed_at is null and f.created_at < now() - ${unclaimedLifetime}
          and f.stored_at < now() - ${unclaimedLifetime}`.execute(db)
      await sql`
        update file f set released_at = now()
        where f.released_at is null and f.stored_at is null and not exists (
          select from upload_ticket t where t.file_id = f.id and (f.created_at > now() - ${uploadLifetime}
            or t.expires_at > now() or not ${isFree}))`.execute(db)
      await sql`
        update file f set released_at = now()
        where f.released_at is null and case when f.project_id is null then f.person_id is null
          else not exists (select from project p where p.id = f.project_id) end
          and not exists (select from audit_archive a where a.file_id = f.id)`.execute(db)
    },

    async released(most: number): Promise<{ id: string; filename: string }[]> {
      return db
        .selectFrom('file')
        .select(['id', 'filename'])
        .where('released_at', '<=', sql<Date>`now()`)
        .orderBy('released_at')
        .limit(most)
        .execute()
    },

    /** Forgets places without files. */
    async removeUnusedPlaces(): Promise<void> {
      await sql`
        delete from used_space where place in (
          select place from used_space where bytes = 0 and place <> 'installation' for update skip locked)`.execute(
        db,
      )
    },

    async removeRows(fileIds: readonly string[]): Promise<void> {
      await sql`delete from file where id = any(${fileIds}::uuid[]) and released_at <= now()`.execute(db)
    },

    /** Returns the names that belong to no file. */
    async unknownAmong(filenames: readonly string[]): Promise<string[]> {
      const { rows } = await sql<{ filename: string }>`
        select asked.filename from unnest(${filenames}::text[]) asked (filename)
        where not exists (select from file f where f.filename = asked.filename)`.execute(db)
      return rows.map(({ filename }) => filename)
    },
  }
}

export type FileRepository = ReturnType<typeof createFileRepository>

export const recordOf = ({
  id,
  filename,
  projectId,
  personId,
  name,
  contentType,
  size,
  sha256,
  width,
  height,
}: FoundFile): FileRecord => ({
  id,
  filename,
  projectId,
  personId,
  name,
  contentType,
  size,
  sha256,
  width,
  height,
})

export const storedFileOf = (file: FoundFile): StoredFile => ({
  _id: file.id,
  filename: file.filename,
  name: file.name,
  contentType: file.contentType,
  size: file.size,
  createdAt: file.createdAt.toISOString(),
  expiresAt: file.expiresAt?.toISOString() ?? null,
})
