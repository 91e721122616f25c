import type { Home } from '@pult/contract'
import { DataCard, Link, StateBar, StatusShape } from '@pult/ui'
import AppWindow from 'lucide-react/icons/app-window'
import Grid3x3 from 'lucide-react/icons/grid-3x3'
import Server from 'lucide-react/icons/server'
import type { CSSProperties } from 'react'
import { AskForAccess } from '#platform/access/AskForAccess.tsx'
import { texts } from '#platform/desk/desk.texts.ts'
import { fleetStates, partsOf, statusOf } from '#platform/desk/fleet-parts.ts'
import { AddEdge } from './AddEdge.tsx'
import styles from './FleetCard.module.css'
import type { HomePartProps } from './home-part.ts'

const words = texts.home

type Fleet = NonNullable<Home['fleet']>

/** The edges of a project by state, with a cell for each. A large fleet shows a bar for each tag instead. */
export function FleetCard({ project, home, state, rights }: HomePartProps) {
  const fleet = home?.fleet
  if (!fleet) return null
  const { counts } = fleet
  const present = fleetStates.filter((name) => counts[name] > 0)
  const isEmpty = counts.total === 0 && state.kind === 'filled'
  return (
    <DataCard
      title={words.fleet}
      {...(counts.total > 0 && { detail: texts.edges(counts.total) })}
      {...(state.kind === 'filled' &&
        !isEmpty && {
          meta: (
            <span className={styles.live}>
              <StatusShape status="ok" />
              {words.live}
            </span>
          ),
        })}
      state={
        isEmpty
          ? {
              kind: 'empty',
              icon: <Server />,
              title: words.noEdges,
              ...(rights.mayManageEdges
                ? { tint: 'teal', text: words.noEdgesText, action: <AddEdge /> }
                : {
                    action: (
                      <AskForAccess
                        projectId={project._id}
                        needed={{ role: 'edges:manage', subject: words.addingEdge }}
                      />
                    ),
                  }),
            }
          : state
      }
    >
      <StateBar legend={false} parts={partsOf(counts)} />
      <ul className={styles.counts}>
        {present.map((name) => (
          <li key={name}>
            <Link className={styles.count} href={`/app/edges?state=${name}`}>
              <StatusShape status={statusOf[name]} />
              <span>
                <b>{counts[name]}</b> {texts.state[name]}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {fleet.tags.length > 0 ? <Tags fleet={fleet} /> : <Cells fleet={fleet} />}
      {(fleet.programs.total > 0 || fleet.decks > 0) && (
        <p className={styles.foot}>
          {fleet.programs.total > 0 && (
            <span>
              <AppWindow aria-hidden="true" />
              {words.programs(fleet.programs.running, fleet.programs.total)}
            </span>
          )}
          {fleet.decks > 0 && (
            <span>
              <Grid3x3 aria-hidden="true" />
              {words.decks(fleet.decks)}
            </span>
          )}
        </p>
      )}
    </DataCard>
  )
}

function Tags({ fleet: { tags } }: { fleet: Fleet }) {
  return (
    <ul className={styles.tags} aria-label={words.edgesByTag}>
      {tags.map(({ tag, counts }) => {
        const row = (
          <>
            <span className={styles.tag}>{tag ?? words.noTag}</span>
            <span className={styles.tagTotal}>{texts.edges(counts.total)}</span>
            <StateBar className={styles.tagBar} legend={false} parts={partsOf(counts)} />
          </>
        )
        return (
          <li key={tag}>
            {tag === null ? (
              <div className={styles.tagRow}>{row}</div>
            ) : (
              <Link className={styles.tagRow} href={`/app/edges?tags=${encodeURIComponent(tag)}`}>
                {row}
              </Link>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** Up to this number of edges, the cells show their names. */
const namedAtMost = 8

function Cells({ fleet: { cells, counts } }: { fleet: Fleet }) {
  const isNamed = counts.total <= namedAtMost
  return (
    <>
      <ul className={styles.cells} data-named={isNamed || undefined} aria-label={words.edgesOfProject}>
        {cells.map(({ _id, label, state, load }) => {
          const name =
            load === null
              ? words.cell(label, texts.state[state])
              : words.cellLoad(label, texts.state[state], load)
          return (
            <li key={_id}>
              <Link
                className={styles.cell}
                href={`/app/edges/edit/${_id}`}
                aria-label={name}
                title={name}
                data-state={state}
                style={{ '--load': `${Math.min(100, load ?? 0)}%` } as CSSProperties}
              >
                {state !== 'online' && <StatusShape status={statusOf[state]} />}
                {isNamed && <span className={styles.name}>{label}</span>}
              </Link>
            </li>
          )
        })}
      </ul>
      {counts.total > cells.length && (
        <Link className={styles.rest} href="/app/edges">
          {texts.more(counts.total - cells.length)}
        </Link>
      )}
    </>
  )
}
