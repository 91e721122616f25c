import Columns3 from 'lucide-react/icons/columns-3'
import { Button } from '../button/Button.tsx'
import { Menu } from '../menu/Menu.tsx'
import { MenuItem } from '../menu/MenuItem.tsx'
import { MenuTrigger } from '../menu/MenuTrigger.tsx'
import type { DataTableColumn, DataTableProps } from './data-table.ts'

export interface ColumnChoiceProps<Row extends object>
  extends Pick<DataTableProps<Row>, 'settings' | 'onSettingsChange'> {
  /** The button's text: "Columns". */
  label: string
  columns: readonly Pick<DataTableColumn<Row>, 'id' | 'header' | 'kind'>[]
}

/**
 * Renders a button that shows or hides columns of a {@link DataTable}. The row's name and its actions are always shown.
 */
export function ColumnChoice<Row extends object>({
  label,
  columns,
  settings,
  onSettingsChange,
}: ColumnChoiceProps<Row>) {
  const optional = columns.filter(({ kind }) => kind !== 'title' && kind !== 'actions')
  const hidden = new Set(settings.hidden)
  return (
    <MenuTrigger>
      <Button icon={<Columns3 />}>{label}</Button>
      <Menu
        label={label}
        placement="bottom end"
        selectionMode="multiple"
        selectedKeys={optional.filter(({ id }) => !hidden.has(id)).map(({ id }) => id)}
        onSelectionChange={(keys) =>
          onSettingsChange({
            ...settings,
            hidden: keys === 'all' ? [] : optional.filter(({ id }) => !keys.has(id)).map(({ id }) => id),
          })
        }
      >
        {optional.map(({ id, header }) => (
          <MenuItem key={id} id={id}>
            {header}
          </MenuItem>
        ))}
      </Menu>
    </MenuTrigger>
  )
}
