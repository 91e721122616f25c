import { createClient } from '../calls.ts'
import { password } from '../installation.ts'
import { connections, loadInTurn } from '../load.ts'
import { floorSide, mePath } from '../login-calls.ts'
import type { Row } from '../table.ts'
import type { Workbench } from '../workbench.ts'

/** Who am I: the session behind every call, with nothing else to do. */
export async function measureMe(bench: Workbench): Promise<Row[]> {
  const { pultUrl, pultToken, floorUrl, floorToken, people } = await bench.pair()
  const memoryToken = await signInToFloor(floorUrl, people.names[0] ?? '')
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const { ours, joined, inMemory } = await loadInTurn(
    {
      ours: { url: `${pultUrl}${mePath}`, headers: bearer(pultToken) },
      joined: { url: `${floorUrl}/me/database`, headers: bearer(floorToken) },
      inMemory: { url: `${floorUrl}/me/memory`, headers: bearer(memoryToken) },
    },
    { rounds: 3, seconds: 3 },
  )
  return [
    {
      name: 'GET /me',
      unit: '/s',
      ours: ours.map(({ perSecond }) => perSecond),
      floor: joined.map(({ perSecond }) => perSecond),
      bar: { kind: 'share of the floor', share: 0.5 },
      note: `${connections} connections; floor: session join`,
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
