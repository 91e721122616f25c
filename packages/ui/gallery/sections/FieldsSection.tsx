import Search from 'lucide-react/icons/search'
import { useState } from 'react'
import {
  FileDrop,
  PasswordField,
  SearchField,
  SelectField,
  TextAreaField,
  TextField,
  UploadProgress,
} from '../../src/index.ts'
import styles from '../Gallery.module.css'
import { Group, Specimen } from '../Specimen.tsx'

export function FieldsSection() {
  const [label, setLabel] = useState('')
  const [search, setSearch] = useState('Portalkran')
  const [emptySearch, setEmptySearch] = useState('')
  return (
    <Group title="Fields">
      <Specimen caption="TextField: messages have a reserved line, nothing moves" column>
        <div className={styles.pair}>
          <TextField label="Label" defaultValue="Foyer Nord" />
          <TextField label="First name" description="As in your passport." autoComplete="given-name" />
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
            description="Type something to remove the message."
            error={label === '' && 'Enter a label.'}
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
            description="Its owner can also edit the project."
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
      <Specimen caption="SearchField" column>
        <div className={styles.pair}>
          <SearchField label="Search edges" clearLabel="Clear" value={search} onChange={setSearch} />
          <SearchField
            label="Search tasks"
            clearLabel="Clear"
            value={emptySearch}
            onChange={setEmptySearch}
            shortcut="/"
            keys={['state', 'label']}
            keysLabel="How to search"
            keysText="A key narrows the search."
          />
        </div>
      </Specimen>
      <Specimen caption="TextAreaField" column>
        <div className={styles.pair}>
          <TextAreaField label="Note" defaultValue="The crane rests until Monday." />
          <TextAreaField label="Public key" monospace defaultValue="ssh-ed25519 AAAA" readOnly />
          <TextAreaField label="Reason" error="Enter a reason." />
          <TextAreaField label="Disabled" disabled />
        </div>
      </Specimen>
      <Specimen caption="FileDrop, UploadProgress" column>
        <div className={styles.pair}>
          <FileDrop
            label="Choose a file"
            hint="or drop it here"
            dropLabel="Drop to upload"
            description="PNG or JPEG, at most 20 MB."
            onFiles={() => {}}
          />
          <FileDrop
            label="Disabled"
            hint="or drop it here"
            dropLabel="Drop to upload"
            disabled
            onFiles={() => {}}
          />
          <UploadProgress
            label="Uploading stand.png"
            percent={62}
            note="File 2 of 5"
            details="12.4 MB of 20 MB · 2.4 MB/s · 5 s left"
          />
          <UploadProgress label="Transcoding hall.mp4" percent={null} />
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
