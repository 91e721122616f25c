import type { Account } from '@pult/sdk/api/root'
import { Waiting } from '@pult/sdk/resource'
import { Card, Link } from '@pult/sdk/ui'
import styles from './accounts.module.css'
import { useBelongings } from './accounts.queries.ts'
import { texts } from './accounts.texts.ts'

interface List {
  items: readonly { _id: string; label: string; href?: string }[]
  total: number
}

/** With a link for each record. */
const linked = ({ items, total }: List, hrefOf: (id: string) => string): List => ({
  total,
  items: items.map(({ _id, label }) => ({ _id, label, href: hrefOf(_id) })),
})

const ofOrganisation = (id: string) => `/orgs/${id}`
const ofProject = (id: string) => `/?project=${id}`

/** What the person owns and belongs to. Kinds without a record are omitted. */
export function Belongings({ account }: { account: Account }) {
  const { data, error, refetch } = useBelongings(account._id)
  const lists: [name: string, list: List][] =
    data === undefined
      ? []
      : [
          [texts.ownedOrganisations, linked(data.organisations, ofOrganisation)],
          [texts.ownedProjects, linked(data.projects, ofProject)],
          [texts.memberships, linked(data.memberships, ofOrganisation)],
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
                  {items.map(({ _id, label, href }) => (
                    <li key={_id}>{href === undefined ? label : <Link href={href}>{label}</Link>}</li>
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
