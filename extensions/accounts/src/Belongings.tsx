import type { Account } from '@pult/sdk/api/root'
import { Waiting } from '@pult/sdk/resource'
import { Card } from '@pult/sdk/ui'
import styles from './accounts.module.css'
import { useBelongings } from './accounts.queries.ts'
import { texts } from './accounts.texts.ts'

interface List {
  items: readonly { _id: string; label: string }[]
  total: number
}

/** What the person owns and belongs to. Kinds without a record are omitted. */
export function Belongings({ account }: { account: Account }) {
  const { data, error, refetch } = useBelongings(account._id)
  const lists: [name: string, list: List][] =
    data === undefined
      ? []
      : [
          [texts.ownedOrganisations, data.organisations],
          [texts.ownedProjects, data.projects],
          [texts.memberships, data.memberships],
          [
            texts.taskTokens,
            {
              total: data.taskTokens.total,
              items: data.taskTokens.items.map(({ _id, label, project }) => ({
                _id,
                label: texts.inProject(label, project.label),
              })),
            },
          ],
          [
            texts.decks,
            { total: data.decks.length, items: data.decks.map((serial) => ({ _id: serial, label: serial })) },
          ],
        ]
  const present = lists.filter(([, { total }]) => total > 0)
  return (
    <Card title={texts.belongings} flush>
      {data === undefined ? (
        <Waiting failed={texts.belongingsFailed} error={error} onRetry={() => void refetch()} />
      ) : present.length === 0 ? (
        <p className={styles.none}>{texts.noBelongings}</p>
      ) : (
        <dl className={styles.facts}>
          {present.map(([name, { items, total }]) => (
            <div key={name} className={styles.fact}>
              <dt>{name}</dt>
              <dd>
                <ul className={styles.labels}>
                  {items.map(({ _id, label }) => (
                    <li key={_id}>{label}</li>
                  ))}
                  {total > items.length && <li>{texts.more(total - items.length)}</li>}
                </ul>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  )
}
