import Search from 'lucide-react/icons/search'
import { useState } from 'react'
import { PasswordField, SelectField, TextField } from '../../src/index.ts'
import styles from '../Gallery.module.css'
import { Group, Specimen } from '../Specimen.tsx'

export function FieldsSection() {
  const [label, setLabel] = useState('')
  return (
    <Group title="Fields">
      <Specimen caption="TextField: messages stand in a line of their own, nothing moves" column>
        <div className={styles.pair}>
          <TextField label="Label" defaultValue="Foyer Nord" />
          <TextField
            label="First name"
            description="As it stands in your passport."
            autoComplete="given-name"
          />
          <TextField
            label="E-Mail"
            type="email"
            defaultValue="ada@"
            error="Please enter a whole e-mail address."
          />
          <TextField
            label="Required"
            value={label}
            onChange={(event) => setLabel(event.target.value)}
            description="Type something: the message gives way."
            error={label === '' && 'Please enter a label.'}
          />
          <TextField label="Search" type="search" prefix={<Search />} placeholder="Label or tag" />
          <TextField label="Brightness" defaultValue="50" inputMode="numeric" suffix="%" />
          <TextField label="Disabled" defaultValue="AL12K1A00001" disabled />
          <TextField label="Read only" defaultValue="AL12K1A00001" readOnly />
        </div>
      </Specimen>
      <Specimen caption="SelectField: the system's own list" column>
        <div className={styles.pair}>
          <SelectField
            label="Organization"
            description="Its owner can edit the project, too."
            defaultValue="nord"
          >
            <option value="">None (private)</option>
            <option value="nord">Messe Nord</option>
            <option value="sued">Messe Süd</option>
          </SelectField>
          <SelectField label="Required" error="Please choose one.">
            <option value="">None</option>
          </SelectField>
          <SelectField label="Disabled" disabled>
            <option>Messe Nord</option>
          </SelectField>
        </div>
      </Specimen>
      <Specimen caption="PasswordField" column>
        <div className={styles.pair}>
          <PasswordField
            label="Password"
            autoComplete="current-password"
            defaultValue="correct horse"
            showPasswordLabel="Show password"
            hidePasswordLabel="Hide password"
          />
          <PasswordField
            label="New password"
            autoComplete="new-password"
            description="At least 12 characters."
            showPasswordLabel="Show password"
            hidePasswordLabel="Hide password"
          />
          <PasswordField
            label="Confirm password"
            autoComplete="new-password"
            error="The passwords are not the same."
            showPasswordLabel="Show password"
            hidePasswordLabel="Hide password"
          />
          <PasswordField
            label="Disabled"
            autoComplete="current-password"
            disabled
            showPasswordLabel="Show password"
            hidePasswordLabel="Hide password"
          />
        </div>
      </Specimen>
    </Group>
  )
}
