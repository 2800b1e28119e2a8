"""The tests that take more than three seconds of computing: `make slow` has them, not `make test`.

CI runs both, so a change has to pass all of them before it lands. docs/tests.md says which tests of
`make test` look at the same things meanwhile.
"""

from __future__ import annotations

SLOW = {
    "batch/test_dealing.py": ("test_states_and_positions_are_the_same_both_ways",),
    "bench/test_environments.py": ("test_every_environment_has_a_figure",),
    "bots/explain/test_reasons.py": (
        "test_a_hint_is_given_in_every_position_of_a_game_in_the_languages_by_turns",
    ),
    "bots/test_players.py": (
        "test_a_level_plays_every_edition_number_and_option_to_the_end[speculator:8]",
        "test_what_a_seat_can_not_see_changes_no_choice[speculator:8-3]",
        "test_what_a_seat_can_not_see_changes_no_choice[tycoon:2-2]",
    ),
    "bots/tycoon/test_opponents.py": (
        "test_a_double_cost_proves_that_nothing_beside_track_was_held",
    ),
    "bots/tycoon/test_tycoon.py": ("test_search_is_repeatable_and_more_worlds_settle_it",),
    "browser/test_admin.py": ("test_a_report_is_looked_after",),
    "browser/test_alerts.py": (
        "test_a_turn_finds_ada_as_push_and_as_mail",
        "test_what_ada_chooses_is_kept_and_others_see_her_vacation",
    ),
    "browser/test_daily.py": ("test_from_home_to_the_shared_line_twice",),
    "browser/test_edition.py": (
        "test_corrected_refused_kept_and_played_with",
        "test_the_waiting_room_offers_it",
    ),
    "browser/test_end.py": (
        "test_a_record_keeps_the_names_of_its_computers",
        "test_why_a_game_was_won_or_lost",
    ),
    "browser/test_every_screen.py": ("test_at_a_desk",),
    "browser/test_friends.py": ("test_two_browsers_play_and_a_third_watches",),
    "browser/test_history.py": (
        "test_data_is_taken_away_and_deleted_by_keys",
        "test_games_and_figures_on_a_second_device",
    ),
    "browser/test_keyboard.py": ("test_a_whole_game_by_keyboard",),
    "browser/test_lesson.py": (
        "test_the_lesson_and_then_a_real_game",
        "test_the_lesson_by_keyboard",
        "test_the_lesson_on_a_phone",
    ),
    "browser/test_light.py": ("test_nothing_shifts_at_a_table",),
    "browser/test_lines.py": ("test_a_whole_game_on_a_server_that_is_killed",),
    "browser/test_map.py": (
        "test_everything_can_be_read_at_every_size[most-choices]",
        "test_everything_can_be_read_at_every_size[most-land]",
    ),
    "browser/test_map_alone.py": ("test_by_mouse", "test_by_touch"),
    "browser/test_one_device.py": ("test_a_curtain_between_people",),
    "browser/test_panel.py": (
        "test_a_hint_takes_no_room",
        "test_cash_counts_up_to_what_everybody_has",
        "test_every_state_is_open_to_everybody",
        "test_nothing_of_the_panel_is_out_of_sight[most-land]",
        "test_payouts_fly_to_the_players",
    ),
    "browser/test_phone.py": ("test_a_whole_game_on_a_phone",),
    "browser/test_playout.py": (
        "test_the_ending",
        "test_the_others_turns_are_played_out_one_by_one",
    ),
    "browser/test_replay.py": ("test_a_finished_game_is_watched_again_and_played_on",),
    "browser/test_review.py": (
        "test_of_a_game_just_played[fr-True]",
        "test_of_a_record_by_keyboard[ja]",
        "test_points_are_explained_before_they_are_counted",
    ),
    "browser/test_rules.py": (
        "test_everybody_can_read_them[ja-360-True]",
        "test_they_are_read_searched_and_printed[fr]",
        "test_they_are_read_searched_and_printed[pt]",
        "test_they_are_read_searched_and_printed[pt-BR]",
    ),
    "browser/test_tabs.py": (
        "test_another_language_keeps_the_game",
        "test_two_tabs_of_one_person_agree",
    ),
    "browser/test_text_board.py": ("test_a_whole_game_by_typed_moves",),
    "browser/test_verify.py": ("test_who_played_compares_what_the_browser_saw_and_sent",),
    "cli/test_arena.py": ("test_a_run_that_was_killed_goes_on_to_the_same_figures",),
    "cli/test_cluster.py": ("test_a_ray_of_its_own_is_alone_and_leaves_with_the_command",),
    "cli/test_review.py": (
        "test_a_bar_is_shown_to_who_watches",
        "test_json_depends_on_the_seed",
        "test_one_game_of_many_is_chosen",
    ),
    "cli/test_terminal.py": ("test_leaving_at_every_prompt_changes_nothing_of_the_game",),
    "client/test_load.py": ("test_it_measures_and_shows_turns_memory_cpu_and_the_promises",),
    "docs/test_documentation.py": (
        "test_the_commands_of_a_page_run[arena.md]",
        "test_the_commands_of_a_page_run[cluster.md]",
        "test_the_commands_of_a_page_run[editions.md]",
        "test_the_commands_of_a_page_run[review.md]",
        "test_the_commands_of_a_page_run[study.md]",
        "test_the_commands_of_a_page_run[tycoon.md]",
    ),
    "lab/arena/test_strength.py": ("test_what_the_net_learned_beats_a_surveyor",),
    "lab/study/test_study.py": ("test_other_players_play_the_games_of_their_series[speculator:4]",),
    "packaging/test_packaging.py": (
        "test_the_package_has_the_version_and_all_that_the_game_needs",
    ),
    "review/test_chances.py": ("test_chances_add_up_to_one_at_every_moment",),
    "review/test_judging.py": (
        "test_a_hint_that_is_followed_is_not_blamed",
        "test_what_a_player_could_not_see_changes_no_judgement",
    ),
    "review/test_quick.py": (
        "test_it_agrees_with_the_full_review_within_its_errors",
        "test_it_has_the_form_of_a_review_without_judged_turns",
    ),
    "review/test_review.py": (
        "test_the_same_seed_gives_the_same_review_and_progress_is_told",
        "test_two_seeds_agree_within_their_errors",
    ),
    "rules/test_coverage.py": ("test_small_tests_pass_and_reach_98_percent_of_the_branches",),
    "server/daily/test_tries.py": ("test_everybody_gets_the_same_deal_once",),
    "server/floods/test_floods.py": ("test_a_flood_gets_no_more_than_its_share",),
    "server/http/test_reviews.py": (
        "test_a_game_is_reviewed_once_and_the_review_is_kept",
        "test_a_record_has_a_quick_review_too",
    ),
    "server/http/test_socket_schema.py": (
        "test_every_answer_is_as_documented[0-allowed]",
        "test_every_answer_is_as_documented[1-forbidden]",
    ),
    "server/jobs/test_job_main.py": ("test_reasons_speak_to_the_player_or_about_them",),
    "server/jobs/test_player_pool.py": ("test_all_levels_play_a_whole_game[hidden-uvloop]",),
    "server/live/test_clock_downtime.py": (
        "test_down_for_longer_than_the_bank",
        "test_each_time_down_is_given_back_once",
        "test_of_several_workers_all_must_have_been_down",
    ),
    "server/live/test_two_workers.py": ("test_one_server_with_two_workers_plays_counts_and_ends",),
    "server/test_nothing_lost.py": (
        "test_either_of_two_workers_is_killed",
        "test_killed_between_ready_and_the_deal",
        "test_killed_while_a_computer_thinks[postgres]",
        "test_the_database_is_restarted_underneath",
    ),
}
"""Tests by file, without `tests/`. A name without brackets stands for all cases of a test."""


def is_slow(nodeid: str) -> bool:
    file, _, name = nodeid.removeprefix("tests/").partition("::")
    names = SLOW.get(file, ())
    return name in names or name.partition("[")[0] in names
