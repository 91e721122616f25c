import {
  type EdgeDeclaration,
  type EdgeJobCommand,
  type EdgeJobObstacle,
  edgeDeclaration,
  refusedArgument,
} from '@pult/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { reportedItems } from '../fleet.ts'
import { isInGroup } from '../groups/membership.ts'

export type Reach = 'now' | 'away' | Exclude<EdgeJobObstacle, 'unknown'>

/** The edges of a job. */
export type Target = { group: string } | { edges: readonly string[] } | { failedOf: string }

const declarationOf = (key: string) =>
  sql`(select c from ${reportedItems('commands')} c where c ->> 'key' = ${key} limit 1)`

/** Maximum number of compared variants of one command. Edges with other variants count as not accepting it. */
const variantsMost = 500

/** Returns the declarations of a command in a project, the most used first. */
async function variantsOf(db: Db, projectId: string, key: string): Promise<EdgeDeclaration[]> {
  const { rows } = await sql<{ declaration: unknown }>`
    select declaration from (
      select ${declarationOf(key)} as declaration from edge e join edge_presence p on p.edge_id = e.id
      where e.project_id = ${projectId}
    ) declared where declaration is not null
    group by declaration order by count(*) desc limit ${variantsMost}::int`.execute(db)
  return rows.flatMap(({ declaration }) => edgeDeclaration.safeParse(declaration).data ?? [])
}

const isTarget = (target: Target): RawBuilder<boolean> => {
  if ('group' in target) return isInGroup(target.group)
  if ('edges' in target) return sql`e.id = any(${target.edges}::uuid[])`
  return sql`e.id in (select edge_id from edge_job_line
    where job_id = ${target.failedOf} and state in ('failed', 'expired') and edge_id is not null)`
}

/** Selects the edges of a target in a project and whether a command reaches each: `id`, `label`, `reach`. */
export async function judge(
  db: Db,
  projectId: string,
  command: EdgeJobCommand,
  target: Target,
): Promise<{ judged: RawBuilder<unknown>; commandLabel: string | null }> {
  const { obstacle, commandLabel } = await obstacleOf(db, projectId, command)
  const judged = sql`
    select e.id, e.label, case
      when e.token_hash is null and e.code_hash is null then 'revoked'
      when e.token_hash is null or p.edge_id is null then 'neverConnected'
      when (p.report ? 'commands') is not true then 'tooOld'
      ${obstacle}
      when p.is_online then 'now' else 'away' end as reach
    from edge e left join edge_presence p on p.edge_id = e.id
    where e.project_id = ${projectId} and ${isTarget(target)}`
  return { judged, commandLabel }
}

/** Returns the obstacles of the command itself, as branches of a `case`. */
async function obstacleOf(
  db: Db,
  projectId: string,
  command: EdgeJobCommand,
): Promise<{ obstacle: RawBuilder<unknown>; commandLabel: string | null }> {
  switch (command.name) {
    case 'diagnostics':
    case 'restart':
      return { obstacle: sql``, commandLabel: null }
    case 'restart-instance': {
      const program = (column: RawBuilder<unknown>) => sql`select ${column}
        from ${reportedItems('instances')} i where i ->> 'key' = ${command.key} and i -> 'canRestart' = 'true'`
      const { rows } = await sql<{ label: string }>`
        select i.label from edge_instance i join edge e on e.id = i.edge_id
        where e.project_id = ${projectId} and i.key = ${command.key}
        group by i.label order by count(*) desc limit 1`.execute(db)
      return {
        obstacle: sql`when not exists (${program(sql`1`)}) then 'notDeclared'`,
        commandLabel: rows[0]?.label ?? command.key,
      }
    }
    case 'run': {
      const variants = await variantsOf(db, projectId, command.key)
      const accepted = variants.filter((one) => refusedArgument(one, command.values) === undefined)
      const declaration = declarationOf(command.key)
      const texts = accepted.map((one) => JSON.stringify(one))
      return {
        obstacle: sql`when ${declaration} is null then 'notDeclared'
          when not (${declaration} = any(${texts}::jsonb[])) then 'notAccepted'`,
        commandLabel: (accepted[0] ?? variants[0])?.label ?? command.key,
      }
    }
  }
}
