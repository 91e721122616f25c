import { sql } from 'kysely'
import { type Storage, storageOf } from './browser/console-boot.ts'
import { addCrowd, withDatabase } from './crowd.ts'
import { smallSku, writeSmallExtensions } from './small-extensions.ts'
import type { Workbench } from './workbench.ts'

/** An installation with somebody who is signed in and has a project. */
export interface ExtendedSide {
  url: string
  storage: Storage
  /** Those that were put there; the ones that come with the product are everywhere. */
  extensionIds: readonly string[]
}

/** As an operator would have it: the folders dropped in, the extensions enabled, their product in a project. */
export async function startWithExtensions(bench: Workbench, count: number): Promise<ExtendedSide> {
  const installation = await bench.newInstallation()
  const firstStart = await installation.start()
  const extensions = await writeSmallExtensions(installation.extensionsFolder, count)
  const products = count > 0 ? ['project', smallSku] : ['project']
  const token = await withDatabase(await installation.connection(), async (db) => {
    const [person] = await addCrowd(db, 1)
    if (person === undefined) throw new Error('Nobody was added')
    await sql`
      insert into project (id, label, owner_id, products, meta, config)
      values (uuidv7(), 'Bench', ${person.personId}, ${products}, '{"customer": "", "projectId": ""}', '{}')`.execute(
      db,
    )
    for (const { manifest, digest } of extensions)
      await db
        .insertInto('extension')
        .values({ id: manifest.id, is_enabled: true, digest, backend_url: null })
        .execute()
    return person.token
  })
  await firstStart.stop()
  const { url } = await installation.start()
  return { url, storage: storageOf(url, token), extensionIds: extensions.map(({ manifest }) => manifest.id) }
}
