import { createClient } from '../calls.ts'
import { addCrowd, withDatabase } from '../crowd.ts'
import { password } from '../installation.ts'
import { connections, loadInTurn } from '../load.ts'
import { floorSide, mePath } from '../login-calls.ts'
import type { Row } from '../table.ts'
import type { Workbench } from '../workbench.ts'

/** Who am I: the session behind every call, with nothing else to do. Every connection is somebody else's. */
export async function measureMe(bench: Workbench): Promise<Row[]> {
  const { pultUrl, floorUrl, floorTokens, people, connection } = await bench.pair()
  const crowd = await withDatabase(connection, (db) => addCrowd(db, connections))
  const memoryToken = await signInToFloor(floorUrl, people.names[0] ?? '')
  const { ours, joined, inMemory } = await loadInTurn(
    {
      ours: { url: `${pultUrl}${mePath}`, tokens: crowd.map(({ token }) => token) },
      joined: { url: `${floorUrl}/me/database`, tokens: floorTokens.slice(0, connections) },
      inMemory: { url: `${floorUrl}/me/memory`, tokens: [memoryToken] },
    },
    { rounds: 5, seconds: 4 },
  )
  return [
    {
      name: 'GET /me',
      unit: '/s',
      ours: ours.map(({ perSecond }) => perSecond),
      floor: joined.map(({ perSecond }) => perSecond),
      bar: { kind: 'share of the floor', share: 0.5 },
      note: `${connections} people at once; floor: session join`,
    },
    {
      name: 'GET /me',
      unit: '/s',
      ours: ours.map(({ perSecond }) => perSecond),
      floor: inMemory.map(({ perSecond }) => perSecond),
      note: 'floor: in memory',
    },
    {
      name: 'GET /me, p50',
      unit: 'ms',
      ours: ours.map(({ p50 }) => p50),
      floor: joined.map(({ p50 }) => p50),
    },
    {
      name: 'GET /me, p99',
      unit: 'ms',
      ours: ours.map(({ p99 }) => p99),
      floor: joined.map(({ p99 }) => p99),
    },
  ]
}

async function signInToFloor(url: string, username: string): Promise<string> {
  const { loginPath, loginBody } = floorSide(url)
  const client = createClient(url, 1)
  const { text } = await client.call(loginPath, { body: loginBody(username, password) })
  client.close()
  return (JSON.parse(text) as { token: string }).token
}
