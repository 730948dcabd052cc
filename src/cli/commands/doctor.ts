import type { Command } from 'commander';
import { examine } from '../../core/doctor/doctor.ts';
import type { Finding } from '../../core/doctor/finding.ts';
import { surroundingsOf } from '../../wire/surroundings.ts';
import { configOf, withSettings } from '../options.ts';
import { print, printJson } from '../output/output.ts';

/** Adds `catalog doctor`: reports what is wrong with an installation and how to correct it. */
export function addDoctor(program: Command): void {
  const doctor = program
    .command('doctor')
    .description('check the installation, and say how to correct what is wrong');
  withSettings(
    doctor,
    'data',
    'database',
    'files',
    'gamesRoots',
    'videosRoots',
    'coverSource',
    'publicUrls',
    'basePath',
    'trustedProxies',
    'backupTo',
  );
  doctor
    .option('--json', 'print the findings as JSON')
    .action(async (flags: { json?: true }, command: Command) => {
      const config = configOf(command);
      const findings: Finding[] = [];
      for await (const finding of examine(config, surroundingsOf(config))) {
        findings.push(finding);
        if (!flags.json) print(...linesOf(finding));
      }
      if (flags.json) printJson({ findings });
      if (findings.some(({ state }) => state === 'wrong')) process.exitCode = 1;
    });
}

const marks = { fine: 'ok     ', warning: 'warning', wrong: 'WRONG  ' };

function linesOf({ check, state, says, advice }: Finding): string[] {
  const line = `${marks[state]} ${check}: ${says}`;
  return advice === null ? [line] : [line, `        ${advice}`];
}
