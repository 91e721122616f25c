import { useApi, useCall } from '@pult/sdk'
import type { Product } from '@pult/sdk/api'
import { type Account, type GrantOfPerson, rootGrantEndpoints } from '@pult/sdk/api/root'
import { Loaded } from '@pult/sdk/resource'
import { Button, Card, keepFocus, Table, type TableColumn } from '@pult/sdk/ui'
import { useState } from 'react'
import styles from './accounts.module.css'
import { useProducts } from './accounts.queries.ts'
import { texts } from './accounts.texts.ts'
import { ConfirmedAction } from './ConfirmedAction.tsx'
import { AddGrantDialog, ChangeRoleDialog } from './GrantDialogs.tsx'
import { nameOf } from './name-of.ts'

interface ColumnsParts {
  /** Id of the account. */
  name: string
  products: readonly Product[]
  onChange: (grant: GrantOfPerson) => void
}

const columnsOf = ({ name, products, onChange }: ColumnsParts): TableColumn<GrantOfPerson>[] => [
  { header: texts.project, kind: 'title', cell: ({ project }) => project.label },
  { header: texts.role, cell: ({ productRole }) => roleLabel(products, productRole) },
  {
    header: texts.actions,
    kind: 'actions',
    cell: (grant) => (
      <GrantActions name={name} grant={grant} products={products} onChange={() => onChange(grant)} />
    ),
  },
]

/** Returns the label of a role with its product, because several products often have roles of the same name. */
function roleLabel(products: readonly Product[], productRole: string | null): string {
  if (productRole === null) return texts.noRole
  for (const { label, roles } of products) {
    const role = roles.find(({ id }) => id === productRole)
    if (role) return `${label}: ${role.label}`
  }
  return productRole
}

/** The account's grants in all projects. */
export function Grants({ account }: { account: Account }) {
  const grants = useCall(rootGrantEndpoints.ofPerson, { params: { personId: account._id } })
  const { data: products = [] } = useProducts()
  const [isAdding, setAdding] = useState(false)
  const [changed, setChanged] = useState<GrantOfPerson | null>(null)
  const [isChanging, setChanging] = useState(false)

  const change = (grant: GrantOfPerson) => {
    setChanged(grant)
    setChanging(true)
  }
  return (
    <Card
      ref={keepFocus}
      tabIndex={-1}
      title={texts.grants}
      flush
      actions={<Button onClick={() => setAdding(true)}>{texts.addGrant}</Button>}
    >
      <Loaded query={grants} failed={texts.grantsFailed}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={styles.none}>{texts.noGrants}</p>
          ) : (
            <Table
              label={texts.grants}
              columns={columnsOf({ name: nameOf(account), products, onChange: change })}
              rows={items}
              rowKey={({ _id }) => _id}
            />
          )
        }
      </Loaded>
      <AddGrantDialog personId={account._id} open={isAdding} onClose={() => setAdding(false)} />
      {changed !== null && (
        <ChangeRoleDialog
          key={changed._id}
          grant={changed}
          open={isChanging}
          onClose={() => setChanging(false)}
        />
      )}
    </Card>
  )
}

interface GrantActionsProps {
  name: string
  grant: GrantOfPerson
  products: readonly Product[]
  onChange: () => void
}

function GrantActions({ name, grant, products, onChange }: GrantActionsProps) {
  const call = useApi()
  const { _id: grantId, project, productRole } = grant
  const role = roleLabel(products, productRole)
  return (
    <span className={styles.rowActions}>
      <Button variant="ghost" aria-label={texts.changeRoleIn(project.label, role)} onClick={onChange}>
        {texts.changeRole}
      </Button>
      <ConfirmedAction
        label={texts.remove}
        accessibleLabel={texts.removeGrantOf(project.label, role)}
        variant="ghost"
        question={texts.removeGrantQuestion}
        text={texts.removeGrantText(name, productRole === null ? texts.theGrant : role, project.label)}
        done={texts.grantRemoved}
        run={() => call(rootGrantEndpoints.remove, { params: { projectId: project._id, grantId } })}
      />
    </span>
  )
}
