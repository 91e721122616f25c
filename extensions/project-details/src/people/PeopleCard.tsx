import { useCredentials } from '@pult/sdk'
import type { Grant, Product, Project } from '@pult/sdk/api'
import { Button, Card, IconButton, keepFocus, Table, type TableColumn } from '@pult/sdk/ui'
import Trash from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { AccessLink } from '../access/AccessLink.tsx'
import { useOrganisationMembers, useProducts } from '../project-details.queries.ts'
import { texts } from '../project-details.texts.ts'
import { managesPeople, mayEdit } from '../rights.ts'
import { AddPerson } from './AddPerson.tsx'
import { GrantRole } from './GrantRole.tsx'
import { type Holder, holdersOf } from './holders.ts'
import styles from './People.module.css'
import { RemoveGrant } from './RemoveGrant.tsx'
import { roleLabel } from './RoleOptions.tsx'

export function PeopleCard({ project }: { project: Project }) {
  const { _id: ownId, isRoot } = useCredentials()
  const { data: members } = useOrganisationMembers()
  const { data: products } = useProducts()
  const [asked, setAsked] = useState<Grant | null>(null)
  const [asksToRemove, setAsksToRemove] = useState(false)
  const [isAdding, setAdding] = useState(false)

  const ask = (grant: Grant) => {
    setAsked(grant)
    setAsksToRemove(true)
  }
  return (
    <Card
      ref={keepFocus}
      tabIndex={-1}
      className={styles.list}
      title={texts.people}
      actions={isRoot && <Button onClick={() => setAdding(true)}>{texts.add}</Button>}
      flush
    >
      <Table
        label={texts.people}
        columns={columnsOf(project, { ownId, isRoot, products, onRemove: ask })}
        rows={holdersOf(project, members)}
        rowKey={({ key }) => key}
      />
      <p className={styles.note}>{texts.peopleText}</p>
      {asked && <RemoveGrant grant={asked} open={asksToRemove} onClose={() => setAsksToRemove(false)} />}
      {isRoot && <AddPerson open={isAdding} onClose={() => setAdding(false)} />}
    </Card>
  )
}

interface ColumnParts {
  ownId: string
  isRoot: boolean
  products: readonly Product[] | undefined
  onRemove: (grant: Grant) => void
}

const columnsOf = (
  project: Project,
  { ownId, isRoot, products, onRemove }: ColumnParts,
): TableColumn<Holder>[] => [
  {
    header: texts.name,
    kind: 'title',
    cell: ({ name, personId }) => (
      <>
        {name} {personId === ownId && <span className={styles.quiet}>{texts.you}</span>}
      </>
    ),
  },
  { header: texts.role, cell: ({ as }) => <RoleCell as={as} project={project} /> },
  ...(mayEdit(project) ? [actions(products, isRoot ? onRemove : null)] : []),
]

/** Whoever edits the project sees why somebody has access; root alone takes grants away. */
const actions = (
  products: ColumnParts['products'],
  onRemove: ColumnParts['onRemove'] | null,
): TableColumn<Holder> => ({
  header: texts.actions,
  kind: 'actions',
  cell: ({ personId, name, as }) => (
    <span className={styles.actions}>
      <AccessLink personId={personId} name={name} />
      {onRemove !== null && typeof as !== 'string' && (
        <IconButton
          label={texts.removeOf(
            name,
            as.productRole === null ? texts.noRole : roleLabel(as.productRole, products),
          )}
          icon={<Trash aria-hidden="true" />}
          onClick={() => onRemove(as)}
        />
      )}
    </span>
  ),
})

function RoleCell({ as, project }: { as: Holder['as']; project: Project }) {
  if (as === 'owner') return texts.everyRole
  if (as === 'organisation owner') return texts.organizationOwner
  return <GrantRole grant={as} project={project} readOnly={!managesPeople(project)} />
}
