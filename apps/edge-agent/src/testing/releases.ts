import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { type EdgeManifest, edgeSignaturePurposes } from '@pult/contract'

function newKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const bytes = publicKey.export({ format: 'der', type: 'spki' })
  const id = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
  return { privateKey, key: bytes.toString('base64url'), id }
}
type Key = ReturnType<typeof newKey>

const signed = (kind: keyof typeof edgeSignaturePurposes, value: unknown, by: { privateKey: KeyObject }) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const signature = sign(null, Buffer.from(edgeSignaturePurposes[kind] + text), by.privateKey)
  return { text, signature: signature.toString('base64url') }
}
const announced = (next: Key, by: Key, previous = by) =>
  signed('key', { previous: previous.id, key: next.key }, by)

export const file = Buffer.from('console.log("the agent of tomorrow")\n')
export const [first, second, third] = [newKey(), newKey(), newKey()]
const stranger = newKey()
export const running = '2.4.0'
export const facts: EdgeManifest = {
  version: '2.5.0',
  minimum: '2.4.0',
  protocols: { min: 2, max: 3 },
  sha256: createHash('sha256').update(file).digest('hex'),
  size: file.length,
  created: '2026-11-25T05:00:00Z',
  keyId: first.id,
}

export const by = (
  key: Key,
  changes: Partial<Record<keyof EdgeManifest, unknown>> = {},
  keys: unknown[] = [],
) => ({
  manifest: signed('manifest', { ...facts, keyId: key.id, ...changes }, key),
  keys,
})
export const good = by(first)
export const chain = [announced(second, first), announced(third, second)]

const flipped = (text: string, at: number) =>
  text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
const withManifest = (changes: object) => ({ ...good, manifest: { ...good.manifest, ...changes } })
const text = good.manifest.text
const ecdsa = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const ecdsaKey = ecdsa.publicKey.export({ format: 'der', type: 'spki' })
const ecdsaId = createHash('sha256').update(ecdsaKey).digest('hex').slice(0, 32)

/** A name, the release, and its differences: the file, the pinned key and the running version. */
export const forgedReleases: [string, unknown, Buffer?, string?, string?][] = [
  ['nothing', null],
  ['a text', JSON.stringify(good)],
  ['no manifest', { keys: [] }],
  ['no list of keys', { manifest: good.manifest }],
  ['no signature', withManifest({ signature: undefined })],
  ['an empty signature', withManifest({ signature: '' })],
  ['a changed signature', withManifest({ signature: flipped(good.manifest.signature, 20) })],
  ['half a signature', withManifest({ signature: good.manifest.signature.slice(0, 43) })],
  ['a signature with bytes behind it', withManifest({ signature: `${good.manifest.signature}AAAA` })],
  ['the signature of a zero point', withManifest({ signature: Buffer.alloc(64).toString('base64url') })],
  ['a changed version', withManifest({ text: text.replace('2.5.0', '2.6.0') })],
  ['a changed hash', withManifest({ text: text.replace(facts.sha256, 'f'.repeat(64)) })],
  ['another spelling of the same facts', withManifest({ text: `${text} ` })],
  ['truncated facts', withManifest({ text: text.slice(0, -1) })],
  [
    'the signature of another release',
    withManifest({ signature: by(first, { size: 1 }).manifest.signature }),
  ],
  ['a signature of another purpose', { ...good, manifest: signed('key', facts, first) }],
  ['a stranger’s key', by(stranger)],
  ['a stranger’s key under the name of the pinned one', by(stranger, { keyId: first.id })],
  ['a key that it does not use', by(first, { keyId: second.id })],
  ['a successor without an announcement', by(second)],
  ['a successor that announces itself', by(second, {}, [announced(second, second, first)])],
  ['a successor that a stranger announces', by(stranger, {}, [announced(stranger, stranger, first)])],
  [
    'an announcement signed as a manifest',
    by(second, {}, [signed('manifest', { previous: first.id, key: second.key }, first)]),
  ],
  ['a chain with a gap', by(third, {}, chain.slice(1))],
  ['a reversed chain', by(third, {}, chain.toReversed())],
  ['a chain that branches off to a stranger', by(stranger, {}, [chain[0], announced(stranger, first)])],
  ['the key before the pinned one', by(first), file, second.key],
  ['a replaced key beside the announcement of its successor', by(first, {}, chain)],
  [
    'a key of another algorithm',
    by({ ...second, id: ecdsaId, privateKey: ecdsa.privateKey }, {}, [
      signed('key', { previous: first.id, key: ecdsaKey.toString('base64url') }, first),
    ]),
  ],
  ['an invalid key', by(second, {}, [signed('key', { previous: first.id, key: 'AAAA' }, first)])],
  [
    'two hundred and one announcements',
    by(
      first,
      {},
      Array.from({ length: 201 }, () => chain[0]),
    ),
  ],
  [
    'a longer text than any manifest',
    { ...good, manifest: signed('manifest', JSON.stringify(facts).padEnd(2001), first) },
  ],
  ['an unknown fact', { ...good, manifest: signed('manifest', { ...facts, run: 'rm' }, first) }],
  ['facts that are no JSON', { ...good, manifest: signed('manifest', 'version=2.5.0', first) }],
  ['an invalid version', by(first, { version: '2.5' })],
  ['a version with an appendix', by(first, { version: '2.5.0-evil' })],
  ['a path instead of a hash', by(first, { sha256: '../../edge.json' })],
  ['a size beyond the limit', by(first, { size: 1_500_001 })],
  ['a reversed range of protocols', by(first, { protocols: { min: 3, max: 2 } })],
  ['no protocol of this agent', by(first, { protocols: { min: 3, max: 4 } })],
  ['the running version again', by(first, { version: running })],
  ['an older version', by(first, { version: '2.3.9' })],
  [
    'an older version that sorts behind as a text',
    by(first, { version: '2.10.0' }),
    file,
    first.key,
    '2.11.0',
  ],
  ['a step that leaves out a required version', by(first, { minimum: '2.4.1' })],
  ['a truncated file', good, file.subarray(0, -1)],
  ['an empty file', good, Buffer.alloc(0)],
  ['a file with bytes behind it', good, Buffer.concat([file, Buffer.from('\n')])],
  ['another file of the same size', good, Buffer.from(file).fill('x', 3, 4)],
]
