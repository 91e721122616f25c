import { extensionManifest } from '@pult/contract'
import * as z from 'zod/mini'

/** The JSON Schema of manifest.json, for editors and for authors without our build. */
export const manifestSchema = {
  ...z.toJSONSchema(extensionManifest, { io: 'input' }),
  title: 'Manifest of a Pult extension',
}
