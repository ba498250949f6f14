// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/types/action.h"
#include "sql/types/alert.h"
#include "sql/types/connection.h"
#include "sql/types/filter.h"
#include "sql/types/trend.h"

#include <QSet>
#include <QTest>
#include <type_traits>

using namespace idemdesk::sql;
using namespace Qt::StringLiterals;

namespace {

enum class Fruit : quint8 { Apple, Pear2, Plum };
using FruitName = EnumName<Fruit>;

static_assert(kEnumCount<Fruit> == 3 && kAllOf<Fruit>.back() == Fruit::Plum);
static_assert(isEnumerator<Fruit::Pear2>() && !isEnumerator<static_cast<Fruit>(3)>());
// A table with a hole is none. That a misplaced, empty or doubled name is none either, only the compiler can show.
static_assert(std::is_constructible_v<EnumNames<FruitName>, const FruitName (&)[3]>);
static_assert(!std::is_constructible_v<EnumNames<FruitName>, const FruitName (&)[2]>);
static_assert(!std::is_constructible_v<EnumTable<FruitName>, const FruitName (&)[2]>);
static_assert(!std::is_constructible_v<EnumTable<FruitName>, const FruitName (&)[4]>);

constexpr EnumNames<FruitName> kFruits { {
    { Fruit::Apple, u"apple" },
    { Fruit::Pear2, u"pear" },
    { Fruit::Plum, u"plum" },
} };

/// Every name is found again as what it names.
template <typename Enum, typename NameOf, typename FromName> void roundTrip(NameOf nameOf, FromName fromName)
{
    QSet<QString> seen;
    for (const Enum value : kAllOf<Enum>) {
        const QString name = nameOf(value);
        QVERIFY(!name.isEmpty());
        QVERIFY2(!seen.contains(name), qPrintable(name));
        seen.insert(name);
        QCOMPARE(fromName(name), std::optional(value));
        QVERIFY(!fromName(name.toUpper()));
    }
    QVERIFY(!fromName(QString()));
}

} // namespace

class VocabularyTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }

    void tableSaysNamesInBothDirections()
    {
        QCOMPARE(kFruits.nameOf(Fruit::Pear2), u"pear"_s);
        QCOMPARE(kFruits.find(u"plum"), std::optional(Fruit::Plum));
        QCOMPARE(kFruits.find(u"cherry"), std::nullopt);
        QCOMPARE(kFruits[Fruit::Apple].value, Fruit::Apple);
    }

    void namesRoundTrip()
    {
        roundTrip<TargetKind>(kindName, kindFromName);
        roundTrip<KeyState>(stateName, stateFromName);
        roundTrip<Role>(roleName, roleFromName);
        roundTrip<TimeForm>(timeFormName, timeFormFromName);
        roundTrip<ActionVerb>(verbName, verbFromName);
        roundTrip<TrendSource>(trendSourceName, trendSourceFromName);
        roundTrip<Environment>(environmentName, environmentFromName);
    }

    void serverNeverSaysThatAnActionIsBeingLookedUp()
    {
        QCOMPARE(actionStateName(ActionState::Finding), u"finding"_s);
        QCOMPARE(actionStateFromName(u"finding"_s), std::nullopt);
        QCOMPARE(actionStateFromName(u"paused"_s), std::optional(ActionState::Paused));
    }

    void wordsOfANewerServerAreNoOutcome()
    {
        QCOMPARE(rowEndFromName(u"unique_conflict"_s), std::optional(RowEnd::UniqueConflict));
        QCOMPARE(rowEndFromName(u"teleported"_s), std::nullopt);
    }

    void rolesAreTimesOrBodiesOrNeither()
    {
        for (const Role role : kAllOf<Role>) {
            QCOMPARE(isTimeRole(role), roleName(role).endsWith(u"_at") || role == Role::LeaseUntil);
            QVERIFY(!(isTimeRole(role) && isLargeRole(role)));
        }
        QVERIFY(isLargeRole(Role::ResponseBody) && isLargeRole(Role::RequestPayload));
    }

    /// Of several roles the first that the profile has; where it has none, the one to name to the person.
    void fieldsAreServedByTheFirstRoleThatIsThere()
    {
        Profile profile;
        QCOMPARE(servingRole(profile, FilterField::Age), std::optional(Role::CreatedAt));
        profile.roles.insert(Role::ClaimedAt, {});
        QCOMPARE(servingRole(profile, FilterField::Age), std::optional(Role::ClaimedAt));
        profile.roles.insert(Role::CreatedAt, {});
        QCOMPARE(servingRole(profile, FilterField::Age), std::optional(Role::CreatedAt));
        QCOMPARE(servingRole(profile, FilterField::Lease), std::optional(Role::LeaseUntil));
        QCOMPARE(servingRole(profile, FilterField::Key), std::nullopt);
    }

    void fieldsThatCompareTimesAreServedByTimes()
    {
        for (const FilterField field : kAllOf<FilterField>) {
            const FilterFieldFacts &facts = filterFieldFacts(field);
            QCOMPARE(facts.value, field);
            if (facts.compares == FilterCompares::Time || facts.compares == FilterCompares::Age) {
                QVERIFY(facts.roles.front() && isTimeRole(*facts.roles.front()));
            }
        }
    }
};

QTEST_APPLESS_MAIN(VocabularyTest)
#include "tst_vocabulary.moc"
