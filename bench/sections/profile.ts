import { apiBase, profileEndpoints } from '@pult/contract'
import type { BenchOptions } from '../arguments.ts'
import { addCrowd, withDatabase } from '../crowd.ts'
import { connections, loadInTurn } from '../load.ts'
import type { Row } from '../table.ts'
import type { Workbench } from '../workbench.ts'

/** A changed name: of ten people at once, each time another one. The floor writes the same and no audit row. */
export async function measureProfile(bench: Workbench, { isQuick }: BenchOptions): Promise<Row[]> {
  const { pultUrl, floorUrl, floorTokens, connection } = await bench.pair()
  const crowd = await withDatabase(connection, (db) => addCrowd(db, connections))
  const changeWith = (tokens: readonly (string | undefined)[]) => (of: number, count: number) => ({
    token: tokens[of % tokens.length] ?? '',
    body: { firstname: `Bench ${count}` },
  })
  const { ours, floor } = await loadInTurn(
    {
      ours: {
        url: pultUrl + apiBase + profileEndpoints.update.path,
        changeOf: changeWith(crowd.map(({ token }) => token)),
      },
      floor: { url: `${floorUrl}/profile`, changeOf: changeWith(floorTokens.slice(0, connections)) },
    },
    isQuick ? { rounds: 1, seconds: 1 } : { rounds: 5, seconds: 4 },
  )
  return [
    {
      name: 'PUT /me/account/profile',
      unit: '/s',
      ours: ours.map(({ perSecond }) => perSecond),
      floor: floor.map(({ perSecond }) => perSecond),
      bar: { kind: 'share of the floor', share: 0.5 },
      note: `${connections} people; floor: session join and a durable update, no audit row`,
    },
    {
      name: 'PUT /me/account/profile, p50',
      unit: 'ms',
      ours: ours.map(({ p50 }) => p50),
      floor: floor.map(({ p50 }) => p50),
    },
    {
      name: 'PUT /me/account/profile, p99',
      unit: 'ms',
      ours: ours.map(({ p99 }) => p99),
      floor: floor.map(({ p99 }) => p99),
    },
  ]
}
