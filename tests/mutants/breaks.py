"""The server, the page, the bots and the commands broken on purpose, one place at a time.

The tests must notice every one. `docs/tests-breaks.md` lists what noticed each of them.
"""

from __future__ import annotations

from .break_type import Break
from .floods import FLOODS
from .lab import LAB
from .operator import OPERATOR

VIEWS = "tests/server/table/test_views.py::"
LEAKS = "tests/server/test_nothing_leaked.py::"
COMMANDS = "tests/server/table/test_commands.py::"
STORAGE = "tests/server/storage/"
HTTP = "tests/server/http/"
PEOPLE = "tests/server/people/"
LIVE = "tests/server/live/"
RECORDS = "tests/server/records/test_importing.py::"
ALERTS = "tests/server/alerts/test_send.py::"
PAGE = "tests/browser/"
BOTS = "tests/bots/"
CLI = "tests/cli/"


BREAKS = [
    *FLOODS,
    *OPERATOR,
    *LAB,
    # ---- what is told, and to whom ----------------------------------------------------------
    Break(
        "a-spectator-sees-a-hand",
        "server/table/views.py",
        "seen = view_of(state.game.position, seat)\n    open_table",
        "seen = view_of(state.game.position, seat or 0)\n    open_table",
        (VIEWS + "test_what_a_viewer_cannot_see_changes_no_byte",),
    ),
    Break(
        "players-are-told-what-others-draw",
        "server/table/views.py",
        'if state.status == "over":\n        return tuple(events)',
        'if state.status == "over" or viewer.seated:\n        return tuple(events)',
        (VIEWS + "test_the_own_draws_are_told_and_others_are_not",),
    ),
    Break(
        "players-round-one-device-hear-the-spectators",
        "server/table/views.py",
        'return said.channel == "players" or not viewer.seated',
        'return said.channel == "players" or viewer.seat is None',
        (VIEWS + "test_chat_goes_to_whom_it_is_for",),
    ),
    Break(
        "a-hand-stays-open-after-its-turn-round-one-device",
        "server/live/table.py",
        "if len(connection.seats) > 1 and connection.looking in ended:",
        "if len(connection.seats) > 1 and over:",
        (
            LEAKS
            + "test_round_one_device_a_hand_is_shown_to_who_asks_and_hidden_when_its_turn_ends",
        ),
    ),
    Break(
        "who-comes-back-is-told-everything-again",
        "server/live/table.py",
        "after = 0 if have is None or have > state.number else have",
        "after = 0",
        (LIVE + "test_connections.py::test_whoever_comes_back_gets_exactly_what_was_missed",),
    ),
    Break(
        "who-arrives-sees-no-clock",
        "server/table/views.py",
        "        clock=clock_info(state),\n",
        "        clock=None,\n",
        (VIEWS + "test_a_welcome_holds_all_that_is_so_now",),
    ),
    # ---- what may be done, and by whom ------------------------------------------------------
    Break(
        "a-turn-is-made-for-somebody-else",
        "server/table/commands.py",
        "if seat not in state.seats_of(person) or state.seats[seat].for_good:",
        "if not state.seats_of(person) or state.seats[seat].for_good:",
        (COMMANDS + "TestTurns::test_only_the_one_whose_turn_it_is",),
    ),
    Break(
        "an-old-turn-is-taken-for-the-present-one",
        "server/table/commands.py",
        'if state.status in ("playing", "over") and turn != state.turn:',
        'if state.status in ("playing", "over") and turn > state.turn:',
        (COMMANDS + "TestTurns::test_a_turn_that_was_made_before_is_stale",),
    ),
    Break(
        "a-secret-need-not-be-the-promised-one",
        "server/table/commands.py",
        "if commitment(secret).hex() != state.seats[seat].commitment:",
        "if state.seats[seat].commitment is None:",
        (COMMANDS + "TestShuffle::test_only_what_was_committed_to",),
    ),
    Break(
        "a-computer-moves-though-its-person-is-back",
        "server/table/commands.py",
        "    own = state.seats[seat].computer\n",
        "    own = state.seats[seat].computer or state.settings.stand_in\n",
        (COMMANDS + "TestLeaving::test_the_computers_turn_is_void_when_the_person_returned",),
    ),
    # ---- the state that follows from the log ------------------------------------------------
    Break(
        "a-pool-is-mixed-by-other-numbers-than-the-promised-ones",
        "server/table/state.py",
        "        dealt_by(state.setup, stream)  # advances the stream past the deal\n",
        "",
        (COMMANDS + "test_a_bankruptcy_is_in_the_log_and_replays",),
    ),
    Break(
        "time-for-thinking-costs-nothing",
        "server/table/state.py",
        "left = max(0, state.banks[event.seat] - used)",
        "left = max(0, state.banks[event.seat])",
        (COMMANDS + "TestClocks::test_a_bank_is_used_up_and_gets_its_increment",),
    ),
    # ---- tables in memory -------------------------------------------------------------------
    Break(
        "a-table-that-is-being-watched-is-unloaded",
        "server/live/registry.py",
        "for key, table in self.live.items() if not table.busy]",
        "for key, table in self.live.items()]",
        (LIVE + "test_registry.py::test_only_a_table_that_nobody_uses_is_unloaded",),
    ),
    Break(
        "a-silent-browser-holds-up-the-deal-for-ever",
        "server/live/scheduler.py",
        'if state.status == "waiting" and state.secrets_asked is not None:',
        'if state.status == "playing" and state.secrets_asked is not None:',
        (LIVE + "test_rooms.py::test_a_browser_that_stays_silent_starts_a_new_round",),
    ),
    Break(
        "who-never-came-looks-present",
        "server/live/presence.py",
        "None if self._here(table, person) else table.away.get(person, table.loaded_at)",
        "table.away.get(person)",
        (LIVE + "test_connections.py::test_everybody_is_told_who_comes_and_goes",),
    ),
    # ---- storage ----------------------------------------------------------------------------
    Break(
        "an-acknowledged-turn-is-not-synced",
        "server/storage/database.py",
        "PRAGMA synchronous = FULL",
        "PRAGMA synchronous = NORMAL",
        (STORAGE + "test_log.py::test_sqlite_syncs_every_commit",),
    ),
    Break(
        "a-turn-that-was-not-stored-is-acknowledged",
        "server/storage/writing/committer.py",
        "entry.answer(entry.token in stored)",
        "entry.answer(bool(stored))",
        (
            STORAGE + "test_committer.py::"
            "test_of_the_same_number_twice_in_one_transaction_one_wins[sqlite]",
        ),
    ),
    Break(
        "one-bad-step-takes-all-others-with-it",
        "server/storage/writing/committer.py",
        "                await self._one_by_one(batch, error)\n",
        "                for entry in batch:\n                    entry.fail(error)\n",
        (STORAGE + "test_committer.py::test_only_the_step_that_the_database_cannot_take_fails",),
    ),
    # ---- who somebody is --------------------------------------------------------------------
    Break(
        "an-expired-cookie-still-works",
        "server/storage/queries/persons.py",
        "                session.c.expires_at > now,\n",
        "",
        (STORAGE + "test_persons.py::test_a_session_leads_to_its_person_until_it_expires[sqlite]",),
    ),
    Break(
        "a-removed-device-comes-back-by-an-unused-link",
        "server/storage/queries/persons.py",
        "            if not keep_links:\n",
        "            if keep_links:\n",
        (STORAGE + "test_persons.py::test_sessions_end_one_by_one_or_together[sqlite]",),
    ),
    Break(
        "a-socket-outlives-its-session",
        "server/live/open_sockets.py",
        "                connection.drop(CLOSE_LOGGED_OUT)\n",
        "                pass\n",
        (PEOPLE + "test_devices.py::test_a_session_that_ends_during_the_hello_shows_nothing",),
    ),
    Break(
        "other-workers-do-not-hear-of-ended-sessions",
        "server/storage/queries/persons.py",
        "    if notify:\n",
        "    if not notify:\n",
        (
            LIVE + "test_two_workers.py::"
            "test_a_device_that_is_ended_through_one_worker_is_out_at_the_other",
        ),
    ),
    Break(
        "a-neighbour-can-set-our-cookie",
        "server/people/sessions.py",
        "            if name == COOKIE != self.cookie and row.host_only:\n",
        "            if False:\n",
        (PEOPLE + "test_devices.py::test_the_cookie_is_the_hosts_own_over_https_at_the_root",),
    ),
    Break(
        "scripts-can-read-the-cookie",
        "server/http/cookies.py",
        "httponly=True",
        "httponly=False",
        (PEOPLE + "test_links.py::test_the_cookie_is_for_the_server_alone[sqlite]",),
    ),
    Break(
        "what-a-forgotten-person-said-stays",
        "server/people/erasure.py",
        "return msgspec.structs.replace(event, name=name, text=e.SAID_NO_MORE)",
        "return msgspec.structs.replace(event, name=name)",
        (PEOPLE + "test_history.py::test_only_the_name_and_the_words_of_one_person_are_masked",),
    ),
    # ---- the door ---------------------------------------------------------------------------
    Break(
        "knocking-keeps-the-door-shut",
        "server/http/limits/rate_limits.py",
        "            self._tokens = tokens\n            return False\n",
        "            self._tokens = 0.0\n            return False\n",
        (HTTP + "test_rate_limits.py::test_knocking_does_not_keep_the_door_shut",),
    ),
    Break(
        "a-network-of-one-caller-counts-as-many",
        "server/http/limits/rate_limits.py",
        "ipaddress.ip_network((int(address) >> 64 << 64, 64))",
        "ipaddress.ip_network((int(address), 128))",
        (HTTP + "test_rate_limits.py::test_a_caller_is_an_address_or_an_ipv6_network",),
    ),
    Break(
        "a-page-of-a-neighbour-site-may-change-things",
        "server/http/security.py",
        'return site in ("same-origin", "none")',
        'return site in ("same-origin", "same-site", "none")',
        (HTTP + "test_security.py::test_behind_a_base_url_only_its_own_pages_may_ask",),
    ),
    Break(
        "a-socket-that-closed-still-counts",
        "server/http/guard.py",
        "                self._limits.sockets.release(caller)\n",
        "",
        (HTTP + "test_security.py::test_sockets_are_counted_and_given_back",),
    ),
    Break(
        "an-unexpected-error-tells-what-is-inside",
        "server/live/problems.py",
        'quote {reference}", reference=reference\n',
        'quote {reference}", reference=error\n',
        (HTTP + "test_problems.py::test_what_nobody_foresaw_is_noted_and_not_told",),
    ),
    Break(
        "an-outdated-file-is-cached-for-a-year",
        "server/http/routes/pages.py",
        '"cache-control": FOR_EVER if version == page_version() else "no-store"',
        '"cache-control": FOR_EVER',
        (HTTP + "test_static.py::test_only_the_present_version_is_kept_for_ever",),
    ),
    # ---- alerts, jobs, records --------------------------------------------------------------
    Break(
        "one-address-outside-opens-the-network-inside",
        "server/alerts/address_guard.py",
        "all(map(is_open, found))",
        "any(map(is_open, found))",
        (ALERTS + "test_names_are_judged_by_every_address",),
    ),
    Break(
        "an-inside-address-gets-through-wrapped-in-ipv6",
        "server/alerts/address_guard.py",
        "return address.is_global and address in _GLOBAL_UNICAST and not reserved",
        "return address.is_global and address in _GLOBAL_UNICAST",
        (ALERTS + "test_addresses_inside",),
    ),
    Break(
        "a-review-that-failed-is-never-tried-again",
        "server/jobs/job_queue.py",
        "if job is not None and job.problem is None:",
        "if job is not None:",
        (HTTP + "test_reviews.py::test_a_job_that_fails_says_so_and_can_be_asked_for_again",),
    ),
    Break(
        "hands-of-a-game-that-was-closed-can-be-had",
        "server/table/records.py",
        'if state.status != "over":',
        'if state.status in ("waiting", "playing"):',
        (RECORDS + "test_a_game_that_the_host_closed_stays_secret",),
    ),
    Break(
        "a-game-under-another-name-is-imported-again",
        "server/records/importing.py",
        "    if content in known:\n",
        "    if _table_id(record, content) in known.values():\n",
        (RECORDS + "test_the_same_game_is_brought_in_once_whatever_it_is_called",),
    ),
    # ---- the page ---------------------------------------------------------------------------
    Break(
        "a-turn-sent-into-a-broken-line-is-lost",
        "web/js/lib/connection.js",
        "    for (const { message } of this.waiting.values()) "
        "this.socket?.send(JSON.stringify(message));\n",
        "",
        (PAGE + "test_lines.py::test_a_whole_game_over_a_wire_that_breaks",),
    ),
    Break(
        "two-payouts-to-one-player-are-told-as-one",
        "web/js/game/teller.js",
        "sums.set(seat, (sums.get(seat) ?? 0) + amount)",
        "sums.set(seat, amount)",
        (PAGE + "test_told_alike.py::test_events_and_answers_are_told_alike[en-None]",),
    ),
    Break(
        "a-double-cost-is-shown-as-a-single-one",
        "web/js/game/figures.js",
        "cost: double ? 2 * plain : plain",
        "cost: plain",
        (PAGE + "test_told_alike.py::test_events_and_answers_are_told_alike[en-None]",),
    ),
    Break(
        "a-step-that-comes-twice-is-told-twice",
        "web/js/game/model.js",
        "step.number > this.number)",
        "step.number >= this.number)",
        (PAGE + "test_modules.py::test_a_step_that_comes_twice_is_told_once",),
    ),
    Break(
        "a-second-card-is-bought-beside-the-first",
        "web/js/table/turn/composer.js",
        'const kept = this.moves.filter((other) => !other.startsWith("+"));',
        "const kept = this.moves;",
        (PAGE + "test_modules.py::test_another_card_takes_the_place_of_the_chosen_one",),
    ),
    Break(
        "a-pool-in-another-order-passes-for-the-promised-one",
        "web/js/review/verify-shuffle.js",
        " && same(pool, deal.pool)",
        "",
        (PAGE + "test_verify.py::test_every_recorded_shuffle_holds_and_no_changed_one",),
    ),
    Break(
        "french-has-the-plural-of-english",
        "web/js/lib/words.js",
        'plural.select(n) === "one"',
        "n === 1",
        (PAGE + "test_told_alike.py::test_events_and_answers_are_told_alike[fr-None]",),
    ),
    Break(
        "who-has-left-still-looks-present",
        "web/js/table/redraw.js",
        'players: ["info", "you", "view", "presence", "past", "played", "record"]',
        'players: ["info", "you", "view", "past", "played", "record"]',
        (PAGE + "test_redraw.py::test_a_message_redraws_what_it_changes",),
    ),
    Break(
        "a-screen-reader-that-wants-silence-is-told",
        "web/js/lib/ui/announce.js",
        'if (!text || (settings.announce === "off" && length !== "answer")) return;',
        "if (!text) return;",
        (PAGE + "test_text_board.py::test_what_happens_is_announced",),
    ),
    Break(
        "no-tab-says-that-it-is-open",
        "web/js/lib/ui/tabs.js",
        '      tab.setAttribute("aria-selected", String(each === key));\n',
        "",
        (PAGE + "test_home.py::test_settings_are_remembered",),
    ),
    # ---- the bots ---------------------------------------------------------------------------
    Break(
        "a-player-that-fails-is-asked-once-too-often",
        "bots/external/guard.py",
        "len(self.faults) >= self._patience",
        "len(self.faults) > self._patience",
        (BOTS + "external/test_guard.py::test_a_bad_player_loses_its_moves_and_nothing_else",),
    ),
    Break(
        "a-player-can-change-the-table-it-is-judged-by",
        "bots/external/guard.py",
        "    return view._replace(table=view.table.copy())\n",
        "    return view._replace()\n",
        (BOTS + "external/test_guard.py::test_a_bad_player_loses_its_moves_and_nothing_else",),
    ),
    Break(
        "half-a-turn-passes-for-a-whole-one",
        "bots/turn_check.py",
        "    if not over:\n",
        "    if not moves:\n",
        (BOTS + "test_turn_check.py::test_a_turn_that_is_not_whole_or_not_legal_is_refused",),
    ),
    Break(
        "a-needless-pass-is-a-fault",
        "bots/turn_check.py",
        "if over and str(answer) == PASS_TEXT:",
        "if over and answer == PASS_TEXT:",
        (BOTS + "test_turn_check.py::test_T6_a_pass_after_the_end_of_the_turn_does_no_harm",),
    ),
    Break(
        "a-player-of-others-learns-the-seed-of-the-table",
        "bots/levels.py",
        "player = load()(own_seed(seed))",
        "player = load()(seed)",
        (BOTS + "test_levels.py::test_a_package_s_player_gets_a_seed_of_its_own",),
    ),
    Break(
        "surveyor-drives-a-last-spike-that-loses",
        "bots/judgement.py",
        "return ahead + (DECISIVE if wins else -DECISIVE)",
        "return ahead + (DECISIVE if wins else 0)",
        (BOTS + "test_sensible.py::test_it_does_not_drive_a_last_spike_that_loses_by_land_alone",),
    ),
    Break(
        "less-land-wins-a-tie",
        "bots/judgement.py",
        "wins = all(land[seat] >= land[other]",
        "wins = all(land[seat] <= land[other]",
        (BOTS + "test_sensible.py::test_it_takes_a_last_spike_that_wins_by_land_alone",),
    ),
    Break(
        "speculator-tries-every-turn-in-the-same-world",
        "bots/speculator.py",
        "world = resample(view, self.random)",
        "world = resample(view, Random(0))",
        (BOTS + "test_speculator.py::test_every_world_is_dealt_anew",),
    ),
    Break(
        "tycoon-forgets-what-it-must-sell",
        "bots/tycoon/player.py",
        "moves = [board.lays[int(space)], *_sales(view, holders)]",
        "moves = [board.lays[int(space)]]",
        (BOTS + "tycoon/test_tycoon.py::test_what_it_plays_is_what_it_judged",),
    ),
    Break(
        "a-late-answer-is-taken-for-the-next-one",
        "bots/external/program.py",
        "            if not self._owed:\n                return self._texts(line)\n",
        "            return self._texts(line)\n",
        (BOTS + "external/test_program.py::test_a_late_answer_is_not_taken_for_the_next",),
    ),
    Break(
        "a-hint-names-the-wrong-winner",
        "bots/explain/explainer.py",
        "best = max(rivals, key=lambda other: final.cash[other])",
        "best = min(rivals, key=lambda other: final.cash[other])",
        (BOTS + "explain/test_reasons.py::test_a_losing_last_spike_says_who_would_win",),
    ),
    # ---- the commands -----------------------------------------------------------------------
    Break(
        "ctrl-c-does-nothing-to-a-command-in-the-background",
        "cli/app.py",
        "    signal.signal(signal.SIGINT, signal.default_int_handler)\n",
        "",
        (CLI + "test_simulate.py::test_an_interrupt_leaves_the_old_file_and_no_other",),
    ),
    Break(
        "an-interrupted-command-destroys-the-old-file",
        "cli/files.py",
        "        part.replace(path)\n    finally:\n        part.unlink(missing_ok=True)\n",
        "    finally:\n        part.replace(path)\n",
        (CLI + "test_simulate.py::test_an_interrupt_leaves_the_old_file_and_no_other",),
    ),
    Break(
        "a-bad-record-verifies-by-its-exit-code",
        "cli/records/records.py",
        "            good = complain(name, error, words)\n",
        "            complain(name, error, words)\n",
        (CLI + "test_records.py::test_a_bad_file_does_not_keep_the_others_from_their_turn",),
    ),
    Break(
        "a-saved-game-may-run-any-program",
        "cli/play/terminal/saved.py",
        "if kind not in (PERSON, *LEVELS, *trusted):",
        'if kind not in (PERSON, *LEVELS, *trusted) and not kind.startswith("exec:"):',
        (CLI + "test_terminal.py::test_a_saved_game_names_no_program_to_run",),
    ),
    Break(
        "the-next-person-sees-the-hand-of-the-last",
        "cli/play/terminal/session.py",
        "self.needs_curtain = len(people) > 1 and",
        "self.needs_curtain = len(people) > 2 and",
        (CLI + "test_terminal.py::test_the_curtain_hides_every_tile_between_people",),
    ),
    Break(
        "a-turn-is-not-saved-before-it-is-shown",
        "cli/play/terminal/session.py",
        "            save(self.path, self.saved)\n            self._tell_who_is_out(events)\n",
        "            self._tell_who_is_out(events)\n        save(self.path, self.saved)\n",
        (
            CLI
            + "test_terminal.py::test_being_ended_by_the_system_leaves_the_game_and_nothing_else",
        ),
    ),
    Break(
        "an-arena-claims-to-be-surer-than-it-is",
        "cli/lab/arena_report.py",
        'margin = max(share["high"] - share["mean"], share["mean"] - share["low"])',
        'margin = min(share["high"] - share["mean"], share["mean"] - share["low"])',
        (CLI + "test_arena.py::test_the_sentence_tells_the_longer_side_of_its_interval",),
    ),
    Break(
        "others-on-the-machine-can-read-secret-games",
        "cli/hosting/games.py",
        "os.fchmod(file.fileno(), 0o600)",
        "os.fchmod(file.fileno(), 0o644)",
        (CLI + "test_games.py::test_secret_games_are_exported_for_the_host_alone",),
    ),
]
