import type { Condition } from '@pult/contract'
import { DataCard, formatBytes, StatusShape, Table, type TableColumn, TimeAgo } from '@pult/ui'
import type { CardProps } from './card-props.ts'
import styles from './condition.module.css'
import { texts } from './condition.texts.ts'
import { GuideLink } from './GuideLink.tsx'

type Node = NonNullable<Condition['nodes']>[number]

const columns: TableColumn<Node>[] = [
  { header: texts.node, kind: 'title', cell: ({ name }) => name },
  {
    header: texts.state,
    cell: ({ isAlive }) => (
      <span className={styles.state}>
        <StatusShape status={isAlive ? 'ok' : 'danger'} />
        {isAlive ? texts.alive : texts.lost}
      </span>
    ),
  },
  { header: texts.memory, cell: ({ memory }) => formatBytes(memory) },
  { header: texts.sockets, cell: ({ sockets }) => sockets },
  { header: texts.edges, cell: ({ edges }) => edges },
  { header: texts.version, cell: ({ version }) => version },
  { header: texts.since, cell: ({ startedAt }) => <TimeAgo at={startedAt} /> },
]

/** The server processes that share the database. */
export function NodesCard({ nodes, state }: { nodes: readonly Node[] } & CardProps) {
  return (
    <DataCard
      state={state}
      className={styles.nodes}
      title={texts.nodes}
      detail={nodes.length === 1 ? texts.nodesOne : texts.nodesMany(nodes.length)}
      foot={<GuideLink guide="scale">{nodes.length === 1 ? texts.howToAddNode : texts.aboutNodes}</GuideLink>}
      flush
    >
      <Table label={texts.nodes} columns={columns} rows={nodes} rowKey={({ _id }) => _id} />
    </DataCard>
  )
}
