import type { Grant } from '@pult/contract'

export interface GrantRow {
  id: string
  person_id: string
  product_role: string | null
  firstname: string
  lastname: string
}

export const grantOf = (row: GrantRow): Grant => ({
  _id: row.id,
  user: row.person_id,
  name: `${row.firstname} ${row.lastname}`,
  productRole: row.product_role,
})
