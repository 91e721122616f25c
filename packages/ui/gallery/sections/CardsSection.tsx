import Hand from 'lucide-react/icons/hand'
import Plus from 'lucide-react/icons/plus'
import Server from 'lucide-react/icons/server'
import {
  Button,
  DataCard,
  type DataCardState,
  FactList,
  Link,
  Page,
  RadioGroup,
  Skeleton,
  Sparkline,
} from '../../src/index.ts'
import styles from '../Gallery.module.css'
import { Group, Specimen } from '../Specimen.tsx'

const ask = <Button icon={<Hand />}>Ask for access</Button>
const states: Record<string, DataCardState> = {
  Filled: { kind: 'filled' },
  'Loading, after 200 ms': {
    kind: 'loading',
    skeleton: (
      <div className={styles.courses}>
        {['Load', 'Memory', 'Disk'].map((name) => (
          <div key={name} className={styles.course}>
            <Skeleton width="44px" />
            <Skeleton height="22px" />
            <Skeleton width="32px" />
          </div>
        ))}
      </div>
    ),
  },
  'Empty, may add': {
    kind: 'empty',
    icon: <Server />,
    tint: 'teal',
    title: 'No edges yet',
    text: 'Run one command on a machine. It appears here within a second.',
    action: (
      <Button variant="primary" icon={<Plus />} shortcut="E">
        Add an edge
      </Button>
    ),
  },
  'Empty, may not add': {
    kind: 'empty',
    icon: <Server />,
    title: 'No edges yet',
    text: 'Adding an edge needs the role Operator. Ask Henrik Albers, who owns the project.',
    action: ask,
  },
  'Stale: the connection is lost': {
    kind: 'stale',
    asOf: 'as of 14:31',
    text: 'These are the last values. Next attempt in 3 s.',
  },
  'Failed: this card alone': {
    kind: 'failed',
    title: 'Activity could not be loaded',
    text: 'The server did not answer within 10\u202Fs. The rest of the page is current.',
    onRetry: () => undefined,
    retryLabel: 'Try again',
    retryText: 'or automatically in 20 s',
  },
  'No right': {
    kind: 'denied',
    title: 'Access denied',
    text: 'Tasks needs the role Maintainer. Ask Henrik Albers, who owns the project.',
    action: ask,
  },
  'Read-only': { kind: 'read-only', text: 'Only operators can change this' },
  Conflict: {
    kind: 'conflict',
    text: 'Ingrid, 20 s ago',
    action: (
      <>
        <Button>Take theirs</Button>
        <Button variant="primary" shortcut="Mod+S">
          Keep mine
        </Button>
      </>
    ),
  },
}

/** The subject of a card that is not about the fleet. */
const titles: Record<string, string> = {
  filled: 'Values',
  loading: 'Values',
  stale: 'Values',
  failed: 'Activity',
  denied: 'Tasks',
  'read-only': 'Settings',
  conflict: 'Settings',
}

const courses = [
  { name: 'Load', color: 1, now: 34, swing: 22 },
  { name: 'Memory', color: 3, now: 52, swing: 6 },
  { name: 'Disk', color: 2, now: 58, swing: 2 },
] as const

function Content({ kind }: { kind: DataCardState['kind'] }) {
  if (kind === 'read-only')
    return (
      <FactList
        facts={[
          ['Offline notification', 'After 5 min'],
          ['Place', 'Kai 5'],
          ['Reference', 'HN-2041'],
        ]}
      />
    )
  if (kind === 'conflict')
    return (
      <RadioGroup
        label="Place"
        value="mine"
        onChange={() => undefined}
        options={[
          { value: 'mine', label: 'Kai 5 West', description: 'Yours' },
          { value: 'theirs', label: 'Kai 5 Ost', description: 'Ingrid Solberg' },
        ]}
      />
    )
  return (
    <div className={styles.courses}>
      {courses.map(({ name, color, now, swing }) => (
        <div key={name} className={styles.course}>
          <span>{name}</span>
          <Sparkline
            color={color}
            min={0}
            max={100}
            values={Array.from(
              { length: 48 },
              (_, at) => now + swing * Math.sin(at / 2.4) * Math.cos(at / 9),
            )}
          />
          <strong>{`${now}\u202F%`}</strong>
        </div>
      ))}
    </div>
  )
}

export function CardsSection() {
  return (
    <Group title="Cards">
      <div id="card-states" className={styles.cards}>
        {Object.entries(states).map(([name, state]) => (
          <Specimen key={name} caption={name} column>
            <DataCard
              title={titles[state.kind] ?? 'Fleet'}
              detail={titles[state.kind] === 'Values' ? 'median of the fleet' : undefined}
              level={3}
              flush={state.kind === 'read-only'}
              state={state}
              action={state.kind === 'filled' && <Link href="#everything">Everything</Link>}
            >
              <Content kind={state.kind} />
            </DataCard>
          </Specimen>
        ))}
      </div>
      <Specimen caption="Page with a side column" column>
        <Page width="data" side={<DataCard title="Tasks" level={3} />}>
          <DataCard title="Problems" level={3} flush>
            <p className={styles.inside}>A flush card of the main column.</p>
          </DataCard>
        </Page>
      </Specimen>
    </Group>
  )
}
