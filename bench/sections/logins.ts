import { password } from '../installation.ts'
import { connections, loadInTurn } from '../load.ts'
import { floorSide, pultSide, type Side } from '../login-calls.ts'
import type { Row } from '../table.ts'
import type { Workbench } from '../workbench.ts'

/** Right passwords of several people at once. The floor verifies the same argon2id hash and writes the session. */
export async function measureLogins(bench: Workbench): Promise<Row[]> {
  const { pultUrl, floorUrl, people } = await bench.pair()
  await people.startOver()
  const names = people.names.slice(0, connections)
  const targetOf = ({ url, loginPath, loginBody }: Side) => ({
    url: url + loginPath,
    bodies: names.map((name) => loginBody(name, password)),
  })
  const { ours, floor } = await loadInTurn(
    { ours: targetOf(pultSide(pultUrl)), floor: targetOf(floorSide(floorUrl)) },
    { rounds: 3, seconds: 3 },
  )
  return [
    {
      name: 'login',
      unit: '/s',
      ours: ours.map(({ perSecond }) => perSecond),
      floor: floor.map(({ perSecond }) => perSecond),
      note: `${connections} people at once; floor: same hash, the session in PostgreSQL`,
    },
    { name: 'login, p50', unit: 'ms', ours: ours.map(({ p50 }) => p50), floor: floor.map(({ p50 }) => p50) },
    { name: 'login, p99', unit: 'ms', ours: ours.map(({ p99 }) => p99), floor: floor.map(({ p99 }) => p99) },
  ]
}
