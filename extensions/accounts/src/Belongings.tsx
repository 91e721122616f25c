import { useCall } from '@pult/sdk'
import type { ReplyOf } from '@pult/sdk/api'
import { type Account, rootPeopleEndpoints } from '@pult/sdk/api/root'
import { Loaded } from '@pult/sdk/resource'
import { Card, Link } from '@pult/sdk/ui'
import styles from './accounts.module.css'
import { texts } from './accounts.texts.ts'

interface List {
  items: readonly { _id: string; label: string; href?: string }[]
  total: number
}

/** Adds a link to each record. */
const linked = ({ items, total }: List, hrefOf: (id: string) => string): List => ({
  total,
  items: items.map(({ _id, label }) => ({ _id, label, href: hrefOf(_id) })),
})

const ofOrganisation = (id: string) => `/orgs/${id}`
const ofProject = (id: string) => `/?project=${id}`

/** The records that the person owns, and their memberships. Kinds without a record are omitted. */
export function Belongings({ account }: { account: Account }) {
  const belongings = useCall(rootPeopleEndpoints.belongings, { params: { personId: account._id } })
  return (
    <Card title={texts.belongings} flush>
      <Loaded query={belongings} failed={texts.belongingsFailed}>
        {(all) => {
          const present = listsOf(all).filter(([, { total }]) => total > 0)
          return present.length === 0 ? (
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
          )
        }}
      </Loaded>
    </Card>
  )
}

const listsOf = ({
  organisations,
  projects,
  memberships,
  taskTokens,
  decks,
}: ReplyOf<typeof rootPeopleEndpoints.belongings>): [name: string, list: List][] => [
  [texts.ownedOrganisations, linked(organisations, ofOrganisation)],
  [texts.ownedProjects, linked(projects, ofProject)],
  [texts.memberships, linked(memberships, ofOrganisation)],
  [
    texts.taskTokens,
    {
      total: taskTokens.total,
      items: taskTokens.items.map(({ _id, label, project }) => ({
        _id,
        label: texts.inProject(label, project.label),
      })),
    },
  ],
  [texts.decks, { total: decks.length, items: decks.map((serial) => ({ _id: serial, label: serial })) }],
]
