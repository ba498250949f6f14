// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/compare_run.h"

#include "app/ctl/group_option.h"
#include "app/ctl/interrupt.h"
#include "app/ctl/opened_target.h"
#include "app/ctl/out/terminal.h"
#include "models/regions/region_words.h"
#include "sql/lanes/database.h"
#include "sql/types/tr.h"

#include <QCoreApplication>
#include <memory>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kMostSettleSeconds = 3'600;

} // namespace

QList<Option> compareOptions()
{
    return QList { groupOption(),
        Option::text(u"between"_s, Tr::tr("LABEL,LABEL"),
            Tr::tr("Which two members of the group. Not needed where it has only two.")) }
    + targetOptions()
        + QList { jsonOption(), filterOption(Tr::tr("Only keys that match on either side, in the language of “keys”.")),
              Option::number(u"settle"_s, 0, kMostSettleSeconds,
                  Tr::tr("Wait so many seconds for replication. 0: do not wait."), u"10"_s) };
}

sql::Result<std::array<sql::GroupMember, 2>> sidesOf(const Context &context, const sql::ConnectionGroup &group)
{
    if (group.kind == sql::GroupKind::Shards) {
        return usageError(Tr::tr("Shards are not compared: each holds keys of its own."));
    }
    QStringList labels = context.value(u"between"_s).split(u',', Qt::SkipEmptyParts);
    if (labels.isEmpty() && group.members.size() == 2) {
        labels = { group.members.at(0).label, group.members.at(1).label };
    }
    QStringList known;
    for (const sql::GroupMember &member : group.members) {
        known += member.label;
    }
    if (labels.size() != 2 || labels.at(0) == labels.at(1) || group.member(labels.at(0)) == nullptr
        || group.member(labels.at(1)) == nullptr) {
        return usageError(Tr::tr("Two members of the group are compared at a time."),
            Tr::tr("Name them, as --between %1.").arg(known.mid(0, 2).join(u',')),
            Tr::tr("The members are: %1.").arg(known.join(u", "_s)));
    }
    return std::array { *group.member(labels.at(0)), *group.member(labels.at(1)) };
}

sql::Result<models::CompareOutcome> compared(
    const Context &context, const std::array<sql::GroupMember, 2> &members, std::array<SideTarget, 2> *opened)
{
    std::array<std::unique_ptr<sql::Database>, 2> databases;
    std::array<models::CompareSide, 2> sides;
    for (std::size_t side = 0; side < members.size(); ++side) {
        databases.at(side) = std::make_unique<sql::Database>(memberSettings(context, members.at(side)));
        sides.at(side) = { members.at(side).label, databases.at(side).get(),
            [&context, taken = opened != nullptr ? &opened->at(side) : nullptr](
                sql::Session &session) -> sql::Result<sql::Target> {
                TRY(const auto found, targetIn(context, session));
                if (taken != nullptr) {
                    *taken = { found.registered, found.compiled };
                }
                return found.target;
            } };
    }
    models::RegionCompare compare(sides, { context.value(u"filter"_s), context.number(u"settle"_s) * 1'000 });
    Interrupt interrupt([&compare] { compare.cancel(); });
    std::optional<sql::Result<models::CompareOutcome>> answer;
    QObject::connect(&compare, &models::RegionCompare::finished, &compare,
        [&answer](const sql::Result<models::CompareOutcome> &outcome) {
            answer = outcome;
            QCoreApplication::exit();
        });
    QObject::connect(&compare, &models::RegionCompare::phaseChanged, &compare,
        [told = Terminal::instance().noteWidth() > 0](models::RegionCompare::Phase phase) {
            if (told) {
                note(models::phaseText(phase));
            }
        });
    for (const std::unique_ptr<sql::Database> &database : databases) {
        database->open();
    }
    compare.start();
    QCoreApplication::exec();
    return *answer;
}

} // namespace idemdesk::app
