// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/accessible_faces.h"

#include <QAccessibleWidget>
#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QHash>
#include <QPointer>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

/// Without one of these roles a widget is a mere box, and its name is passed over.
QAccessible::Role paintedRole(const QString &className)
{
    static const QHash<QString, QAccessible::Role> roles {
        { u"idemdesk::ui::BadgeView"_s, QAccessible::StaticText },
        { u"idemdesk::ui::ExpiryBars"_s, QAccessible::Chart },
        { u"idemdesk::ui::FlowView"_s, QAccessible::Graphic },
        { u"idemdesk::ui::HeatMap"_s, QAccessible::Chart },
        { u"idemdesk::ui::PartitionCalendar"_s, QAccessible::Chart },
        { u"idemdesk::ui::PurgeProgress"_s, QAccessible::Chart },
        { u"idemdesk::ui::ShareBars"_s, QAccessible::Chart },
        { u"idemdesk::ui::StateLegend"_s, QAccessible::StaticText },
        { u"idemdesk::ui::StepTrail"_s, QAccessible::StaticText },
        { u"idemdesk::ui::StoryScaleView"_s, QAccessible::Graphic },
        { u"idemdesk::ui::TimeBars"_s, QAccessible::Chart },
        { u"idemdesk::ui::VerdictCard"_s, QAccessible::Grouping },
    };
    return roles.value(className, QAccessible::NoRole);
}

QAccessibleInterface *faceOf(const QString &className, QObject *object)
{
    auto *widget = qobject_cast<QWidget *>(object);
    const QAccessible::Role role = paintedRole(className);
    return widget == nullptr || role == QAccessible::NoRole ? nullptr : new QAccessibleWidget(widget, role);
}

/// Names what Qt leaves nameless, as it is shown. Not where faces are made: a new name asks for the face again.
class MissingNames final : public QObject
{
public:
    using QObject::QObject;

    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::Show) {
            if (auto *combo = qobject_cast<QComboBox *>(watched)) {
                describe(combo);
            } else if (auto *button = qobject_cast<QToolButton *>(watched); button != nullptr
                       && button->inherits("QLineEditIconButton") && button->text().isEmpty()
                       && button->accessibleName().isEmpty()) {
                button->setAccessibleName(QCoreApplication::translate("AccessibleFaces", "Clear the field"));
            }
        }
        return QObject::eventFilter(watched, event);
    }

private:
    static void describe(QComboBox *combo)
    {
        if (combo->accessibleDescription().isEmpty()) {
            QStringList parts { combo->accessibleName(), combo->toolTip() };
            parts.removeAll(QString());
            combo->setAccessibleDescription(parts.join(u". "_s));
        }
    }
};

} // namespace

void installAccessibleFaces()
{
    static QPointer<MissingNames> names;
    if (names == nullptr) {
        QAccessible::installFactory(faceOf);
        names = new MissingNames(QCoreApplication::instance());
        QCoreApplication::instance()->installEventFilter(names);
    }
}

} // namespace idemdesk::ui
