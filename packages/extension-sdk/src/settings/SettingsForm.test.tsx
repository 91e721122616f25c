import { type ExtensionSettings, rootExtensionSettingsEndpoints } from '@pult/contract'
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { definePageTab } from '../define-extension.ts'
import { renderPageTab } from '../testing/render-card.tsx'
import { useSettings } from '../use-settings.ts'
import { SettingsFacts } from './SettingsFacts.tsx'
import { SettingsForm } from './SettingsForm.tsx'

const settings: ExtensionSettings = {
  _id: 'heat',
  label: 'Heat',
  revision: 3,
  updatedAt: '2026-01-31T09:12:04.120Z',
  updatedBy: null,
  fields: [
    {
      id: 'limit',
      type: 'number',
      label: 'Limit',
      min: -20,
      max: 120,
      default: 40,
      value: 'warm',
      isSet: true,
      misfit: 'type',
    },
    {
      id: 'name',
      type: 'text',
      label: 'Name',
      maxLength: 9,
      default: null,
      value: null,
      isSet: false,
      misfit: null,
    },
    {
      id: 'key',
      type: 'secret',
      label: 'Key',
      maxLength: 99,
      default: null,
      value: null,
      isSet: true,
      misfit: null,
    },
  ],
}

async function renderForm(shown = settings) {
  const sent: unknown[] = []
  const Component = () => (
    <SettingsForm
      settings={shown}
      place="installation"
      update={rootExtensionSettingsEndpoints.changeInstallation}
      save={async (values, revision) => {
        sent.push([values, revision])
        return { ...shown, revision: 4 }
      }}
      onNewer={() => {}}
    />
  )
  await renderPageTab(definePageTab({ Component }), { id: '' })
  return sent
}

test('the form shows an invalid stored value with its reason, and sends only changed values', async () => {
  const sent = await renderForm()
  expect(
    screen.getByText(/The stored value cannot be used: It has another type. The extension uses 40/),
  ).toBeTruthy()
  const limit = screen.getByLabelText('Limit')
  await userEvent.clear(limit)
  await userEvent.type(limit, '121')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(screen.getByText('Enter a number from -20 to 120')).toBeTruthy()
  await userEvent.clear(limit)
  await userEvent.type(limit, '12,5')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(sent).toEqual([[{ limit: 12.5 }, 3]])
})

const changed = { isSet: true, default: null, value: null }
test.each<[string, Partial<ExtensionSettings['fields'][number]>, string]>([
  ['a text', { ...changed, type: 'text', value: 7, misfit: 'type' }, 'It has another type'],
  [
    'a text that was a secret',
    { ...changed, type: 'text', misfit: 'was-secret' },
    'It was stored as a secret',
  ],
  ['a secret', { ...changed, type: 'secret', misfit: 'no-secret' }, 'It was not stored as a secret'],
  ['a switch', { ...changed, type: 'switch', value: 'on', misfit: 'type' }, 'It has another type'],
  [
    'a choice',
    {
      ...changed,
      type: 'choice',
      value: 'kelvin',
      misfit: 'choice',
      options: [{ id: 'c', label: 'Celsius' }],
    },
    'It is no longer offered',
  ],
  ['a number', { ...changed, type: 'number', value: 99, max: 50, misfit: 'range' }, 'It is out of range'],
])(
  '%s shows why the update rejects its stored value, and saving another field keeps that value',
  async (_what, field, reason) => {
    const odd = { id: 'odd', label: 'Odd', maxLength: 99, ...field } as ExtensionSettings['fields'][number]
    const sent = await renderForm({ ...settings, fields: [odd, ...settings.fields] })
    expect(screen.getAllByText(new RegExp(`The stored value cannot be used: ${reason}`))).toHaveLength(
      reason === 'It has another type' ? 2 : 1,
    )
    await userEvent.type(screen.getByLabelText('Name'), 'Hall')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(sent).toEqual([[{ name: 'Hall' }, 3]])
  },
)

test('a secret is written but never shown, and its field is empty after saving', async () => {
  const sent = await renderForm()
  const key = screen.getByLabelText<HTMLInputElement>('Key')
  expect([key.value, key.type]).toEqual(['', 'password'])
  await userEvent.type(key, 'moth')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(sent).toEqual([[{ key: 'moth' }, 3]])
  expect(key.value).toBe('')
  await userEvent.click(screen.getByRole('button', { name: 'Remove the stored value' }))
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(sent[1]).toEqual([{ key: null }, 4])
})

test('users who may not change settings see the effective values as text, without fields and secrets', async () => {
  const choices: ExtensionSettings['fields'] = [
    {
      id: 'unit',
      type: 'choice',
      label: 'Unit',
      options: [{ id: 'c', label: 'Celsius' }],
      default: 'c',
      value: null,
      isSet: false,
      misfit: null,
    },
    {
      id: 'sound',
      type: 'switch',
      label: 'Sound',
      default: false,
      value: true,
      isSet: true,
      misfit: null,
    },
  ]
  const Component = () => (
    <SettingsFacts settings={{ ...settings, fields: [...settings.fields, ...choices] }} />
  )
  await renderPageTab(definePageTab({ Component }), { id: '' })
  expect(screen.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
    '40The stored value cannot be used: It has another type.',
    'No value',
    'Stored',
    'Celsius',
    'On',
  ])
  expect(screen.queryAllByRole('textbox')).toEqual([])
})

test('a tested app reads its settings, by default those of the manifest', async () => {
  const manifest = {
    id: 'heat',
    version: '1.0.0',
    label: 'Heat',
    settings: [
      { id: 'limit', type: 'number', label: 'Limit', default: 40 },
      { id: 'unit', type: 'text', label: 'Unit' },
    ],
    apps: [
      {
        id: 'heat',
        uuid: '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11',
        label: 'Heat',
        icon: 'box',
        productSku: 'project',
      },
    ],
  }
  const Component = () => {
    const { values } = useSettings<{ limit: number; unit: string | null }>()
    return values && <p>{`${values.limit} ${values.unit}`}</p>
  }
  await renderPageTab(definePageTab({ Component }), { id: '', manifest, settings: { unit: '°C' } })
  expect(await screen.findByText('40 °C')).toBeTruthy()
})
