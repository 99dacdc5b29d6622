/** The form fields of the settings. */
import type { SignInWay } from '../settings-form.ts'

export const signIns: readonly SignInWay[] = [
  {
    name: 'secret',
    label: 'A secret of your own',
    fixed: {},
    fields: [
      {
        ...{ name: 'folder_secret', label: 'Secret of the folder', kind: 'secret', required: true },
        hint: 'Sixteen characters or more, of your own choice: the same secret finds the same folder again.',
      },
    ],
  },
]
