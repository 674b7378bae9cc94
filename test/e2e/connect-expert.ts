import { expect } from '@playwright/test';
import { runDesk, type RunningService } from '../support/processes.ts';

/** Connects a desk that has not been opened yet as the service's expert. */
export async function connectExpert(home: string, service: RunningService): Promise<void> {
  const connected = await runDesk(
    home,
    'connect',
    '--credentials',
    service.credentialsPath,
    '--as',
    'expert',
  );
  expect(connected.code, connected.stderr).toBe(0);
}
